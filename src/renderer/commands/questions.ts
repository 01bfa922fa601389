/** What the window asks without changing anything: answers are shown where they were asked for, never as a notice. */
import type {
  CatalogueEntry,
  FileView,
  Fit,
  LoadPrice,
  ModelDetails,
  ProfileFiles,
  TurnFile,
} from '../../protocol/model.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import type { About, MemoryContents, SessionGrant, StorageSizes } from '../../protocol/person-methods.ts';
import { readBuild, type BuildFacts } from './build-facts.ts';
import type { EngineConnection, HostConnection } from './command.ts';
import type { PageFiles } from './page-files.ts';
import { createAttachedFiles } from './attached-files.ts';

/** All reject with what a person can read. */
export interface Questions {
  catalogue: () => Promise<CatalogueEntry[]>;
  details: (model: string) => Promise<ModelDetails>;
  /** One for each window, in the order asked. */
  fits: (model: string, windows: number[]) => Promise<Fit[]>;
  price: (model: string, contextTokens: number) => Promise<LoadPrice>;
  examPrice: (model: string) => Promise<{ questions: number; expectedMs: number | null; limitMs: number }>;
  /** The whole change of a file that the session changed. */
  changedFile: (sessionId: string, path: string) => Promise<FileView>;
  /** The next piece of an untruncated result, from this character on. */
  wholeResult: (
    sessionId: string,
    itemId: string,
    from: number,
  ) => Promise<{ text: string; next: number | null }>;
  /** What of a turn can be taken back now, and why the rest cannot. */
  turnFiles: (sessionId: string, turnId: string, paths: string[]) => Promise<TurnFile[]>;
  /** For mentions: the best first. */
  files: (workspace: string, query: string) => Promise<{ files: string[]; complete: boolean }>;
  /** An attached file as a `data:` address. */
  attached: (attachmentId: string) => Promise<string>;
  /** As they stand on the disk now. */
  profileFiles: (profileId: string) => Promise<ProfileFiles>;
  tools: () => Promise<ToolFacts[]>;
  memory: () => Promise<MemoryContents>;
  /** What no longer asks, in every session. */
  grants: () => Promise<SessionGrant[]>;
  storage: () => Promise<StorageSizes>;
  about: () => Promise<About>;
  /** Of this page; null = it was not built as a product. */
  build: () => Promise<BuildFacts | null>;
}

export function createQuestions(host: HostConnection, engine: EngineConnection, files: PageFiles): Questions {
  return {
    catalogue: async () => (await engine.call('library/catalogue', {})).entries,
    details: (model) => engine.call('model/details', { model }),
    fits: async (model, contextTokens) => (await engine.call('model/fit', { model, contextTokens })).fits,
    price: (model, contextTokens) => engine.call('model/price', { model, contextTokens }),
    examPrice: (model) => host.call('exam/price', { model }),
    changedFile: (sessionId, path) => host.call('file/view', { sessionId, path }),
    wholeResult: (sessionId, itemId, from) => host.call('item/whole-result', { sessionId, itemId, from }),
    turnFiles: async (sessionId, turnId, paths) =>
      (await host.call('file/turn', { sessionId, turnId, paths })).files,
    files: (workspace, query) => host.call('workspace/files', { workspace, query }),
    attached: createAttachedFiles(host),
    memory: () => host.call('memory/list', {}),
    grants: async () => (await host.call('approval/grants', {})).grants,
    storage: () => host.call('storage/measure', {}),
    about: () => host.call('host/about', {}),
    build: () => readBuild(files),
    profileFiles: (profileId) => host.call('profile/files', { profileId }),
    tools: async () => (await host.call('tool/list', {})).tools,
  };
}
