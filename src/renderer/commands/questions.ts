/** What the window asks without changing anything: answers are shown where they were asked for, never as a notice. */
import type { CollectionPlace } from '../../protocol/collection-methods.ts';
import { readBuild } from './build-facts.ts';
import type { Services } from './command.ts';
import { tokenUse, type UsagePeriod } from './token-use.ts';
import { answerBefore } from './answer-before.ts';
import { createAttachedFiles } from './attached-files.ts';
import { inFolder } from './in-folder.ts';

export type Questions = ReturnType<typeof createQuestions>;

type QuestionServices = Pick<Services, 'host' | 'engine' | 'files' | 'now'>;

/** All reject with what a person can read. */
export function createQuestions({ host, engine, files, now }: QuestionServices) {
  return {
    catalogue: async () => (await engine.call('library/catalogue', {})).entries,
    /** Of these models those that the disk has no room for. */
    lackingRoom: async (models: string[]) => (await engine.call('library/lacking-room', { models })).lacking,
    details: (model: string) => engine.call('model/details', { model }),
    /** One for each window, in the order asked. */
    fits: async (model: string, contextTokens: number[]) =>
      (await engine.call('model/fit', { model, contextTokens })).fits,
    price: (model: string, contextTokens: number) => engine.call('model/price', { model, contextTokens }),
    examPrice: (model: string) => host.call('exam/price', { model }),
    /** What it did so far, by ability. */
    abilities: async (model: string) => (await host.call('model/abilities', { model })).abilities,
    /** The whole change of a file that the session changed. */
    changedFile: (sessionId: string, path: string, turnId?: string) =>
      host.call('file/view', { sessionId, path, ...(turnId !== undefined && { turnId }) }),
    /** What of a turn's answer was written before this place in the session. */
    answerBefore: (sessionId: string, turnId: string, beforeIndex: number) =>
      answerBefore(host, sessionId, turnId, beforeIndex),
    /** What another version of a turn makes the engine read again; `text` = that of the new message. */
    versionPrice: async (sessionId: string, turnId: string, text: string | undefined) =>
      (await host.call('turn/price-version', { sessionId, turnId, ...(text !== undefined && { text }) }))
        .price,
    /** The next piece of an untruncated result, from this character on. */
    wholeResult: (sessionId: string, itemId: string, from: number) =>
      host.call('item/whole-result', { sessionId, itemId, from }),
    /** What of a turn can be taken back now, and why the rest cannot. */
    turnFiles: async (sessionId: string, turnId: string, paths: string[]) =>
      (await host.call('file/turn', { sessionId, turnId, paths })).files,
    /** For mentions: the best first. */
    files: (workspace: string, query: string) => host.call('workspace/files', { workspace, query }),
    /** Of servers of tools, likewise. */
    resources: (query: string) => host.call('mcp/resources', { query }),
    prompts: async () => (await host.call('mcp/prompts', {})).prompts,
    /** An attached file as a `data:` address. */
    attached: createAttachedFiles(host),
    /** Other model servers, and whether each has a key. */
    modelHosts: () => host.call('model-host/list', {}),
    /** Which models each of them has, or the one that is named. */
    hostModels: async (hostId?: string) =>
      (await host.call('model-host/models', hostId === undefined ? {} : { hostId })).hosts,
    memory: () => host.call('memory/list', {}),
    /** What no longer asks, in every session. */
    grants: async () => (await host.call('approval/grants', {})).grants,
    /** Commands and hosts that no longer ask, in every folder, and which folder is that session's. */
    rules: (sessionId: string | undefined) =>
      host.call('approval/rules', sessionId === undefined ? {} : { sessionId }),
    /** In the order in which they came, the owner first. */
    people: async () => (await host.call('people/list', {})).people,
    budgetRules: async () => (await host.call('people/budget-rules', {})).rules,
    /** What answers in which place, and the personas that can. */
    bindings: async () => ({
      ...(await host.call('binding/list', {})),
      ...(await host.call('persona/list', {})),
    }),
    /** What a message from there would be answered with. */
    answerAt: (platform: string, server: string) => host.call('binding/test', { platform, server }),
    /** Jobs in the order in which they were made. */
    schedule: () => host.call('schedule/list', {}),
    /** Servers of tools, with what each brings. */
    connections: () => host.call('mcp/list', {}),
    /** With the model that makes their vectors; null = words alone find. */
    collections: () => host.call('collection/list', {}),
    /** Keeps nothing. */
    collectionPrice: (place: CollectionPlace) => host.call('collection/price', place),
    passages: (collectionId: string, query: string) =>
      host.call('collection/search', { collectionId, query }),
    /** Who searches the web. */
    webSettings: () => host.call('web/settings', {}),
    /** With what that folder says to agents; null = none is looked at. */
    skills: (workspace: string | null) => host.call('skill/list', inFolder(workspace)),
    ways: async () => (await host.call('way/list', {})).ways,
    /** Revoked ones included. */
    tokens: async () => (await host.call('token/list', {})).tokens,
    tokenUse: (period: UsagePeriod) => tokenUse(host, period, now()),
    storage: () => host.call('storage/measure', {}),
    about: () => host.call('host/about', {}),
    /** Of this page; null = it was not built as a product. */
    build: () => readBuild(files),
    /** As they stand on the disk now. */
    profileFiles: (profileId: string) => host.call('profile/files', { profileId }),
    tools: async () => (await host.call('tool/list', {})).tools,
  };
}
