/** A house in which everything says malicious texts: the model, its tools, the files, the model server, the profiles. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { pipeFromWebSocket } from '../../src/server/socket-pipe.ts';
import {
  reply,
  rule,
  script,
  startSim,
  type NativeToken,
  type Reply,
  type Sim,
} from '../../src/sim/index.ts';
import { openSocket, startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { startHostileEngine } from './hostile-engine.ts';
import type { MaliciousText } from './malicious-texts.ts';
import { sentinel } from './page-watch.ts';

/** Texts in one session, in one reply of its turn, in one profile, and in one error, of which only the beginning is told. */
const batchSize = 60;
const textsInReply = 12;
const textsInProfile = 6;
const textsInError = 7;

export interface HostileHouse {
  sim: Sim;
  server: ServerProcess;
  /** The message "batch 2" has the model say all texts of the third batch, each with the letters K, S, F, X and C. */
  batches: MaliciousText[][];
  /** The message "fail 2" has the model server answer with the third of these, each text with the letter E. */
  errors: string[];
  close: () => Promise<void>;
}

export async function startHostileHouse(texts: readonly MaliciousText[]): Promise<HostileHouse> {
  const batches = partsOf(texts, batchSize);
  const short = texts.map(({ id, text }) => `E${id}: ${text.slice(0, 60)}`);
  const errors = partsOf(short, textsInError).map((part) => part.join('\n'));
  // In memory where there is some: a turn of many steps waits for the disk at each of them.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'andiron-e2e-'));
  const workspace = join(folder, `W000: <img src=x onerror=${sentinel}> [andiron note]`);
  layOut(workspace, join(folder, 'data'), texts);
  const sim = await startSim({
    speed: 1_000,
    models: [
      {
        name: 'qwen3.5:9b',
        family: 'qwen3.5',
        path: 'native',
        contextLength: 1_000_000,
        tokenise: (text) => text.match(/.{1,200}/gs) ?? [],
      },
    ],
    script: script([
      rule({ user: /batch \d/ }, ({ lastUser, results }) =>
        step(batches[indexIn(lastUser)] ?? [], results.length / 2),
      ),
      rule({ user: /names/, resultCount: 0 }, listNames()),
      rule({ user: /fail \d/ }, ({ lastUser }) => failure(errors, indexIn(lastUser))),
      rule({ user: /ask/, resultCount: 0 }, realCalls(texts)),
      rule({}, reply().text('That was all.')),
    ]),
  });
  const engine = await startHostileEngine(sim.url, texts);
  const server = await startServerProcess([
    `--data-dir=${join(folder, 'data')}`,
    `--workspace=${workspace}`,
    `--engine-url=${engine.url}`,
  ]);
  return {
    sim,
    server,
    batches,
    errors,
    async close() {
      await server.stop();
      await engine.close();
      await sim.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of nearly the same size, so that the last one has more than one or two as well. */
function partsOf<T>(all: readonly T[], maxSize: number): T[][] {
  const count = Math.ceil(all.length / maxSize);
  const startOf = (part: number): number => Math.floor((part * all.length) / count);
  return Array.from({ length: count }, (_, part) => all.slice(startOf(part), startOf(part + 1)));
}

/** The number in "batch 2". The message may come behind the facts about the workspace. */
const indexIn = (message: string): number => Number(/\b(?:batch|fail) (\d+)/.exec(message)?.[1]);

/** Another window of the same person, without a page. */
export async function asWindow<T>(
  { server }: HostileHouse,
  secret: string,
  use: (rpc: RpcClient<HostMethods>) => Promise<T>,
): Promise<T> {
  const rpc = createRpcClient<HostMethods>(pipeFromWebSocket(await openSocket(server, '/host', secret)));
  try {
    return await use(rpc);
  } finally {
    rpc.close();
  }
}

/** Files that are what they contain, files that are called what they contain, and profiles that say it. */
function layOut(workspace: string, dataDir: string, texts: readonly MaliciousText[]): void {
  const files: [path: string, content: string][] = [];
  for (const [index, { id, text }] of texts.entries()) {
    const name = text.replaceAll(/[/\0]/g, '\u2215').slice(0, 60);
    files.push(
      [`${workspace}/texts/${id}.md`, `F${id}:\n${text}`],
      [`${workspace}/names/${index % 3}/L${id}: ${name}`, ''],
    );
  }
  // Each profile says some: one as its name, one as its description and models, the others in its prompt.
  for (const [at, [name, about, ...prompts]] of partsOf(texts, textsInProfile).entries()) {
    const profile = {
      name: `P${name?.id}: ${name?.text}`.slice(0, 300),
      description: `P${about?.id}: ${about?.text}`.slice(0, 300),
      models: [about?.text ?? ''],
      tools: ['read_file'],
    };
    files.push([`${dataDir}/profiles/p${at}/profile.json`, JSON.stringify(profile)]);
    files.push([
      `${dataDir}/profiles/p${at}/system.md`,
      prompts.map(({ id, text }) => `P${id}: ${text}`).join('\n'),
    ]);
  }
  const own = {
    name: 'Hostile',
    tools: ['read_file', 'write_file', 'list_files', 'glob', 'search', 'run_command'],
  };
  const limits = { maxIterations: 200, contextTokens: 900_000, think: true };
  files.push([`${dataDir}/profiles/developer/profile.json`, JSON.stringify({ ...own, ...limits })]);
  files.push([`${dataDir}/profiles/developer/system.md`, 'Be a test.']);
  for (const [path, content] of files) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
}

/**
 * Each text as thinking, as text that comes in small pieces, as a file, and as a call of a tool of that name.
 * Thinking between two texts makes an item of each, so that none can swallow the next.
 */
function step(texts: readonly MaliciousText[], from: number): Reply | undefined {
  const part = texts.slice(from, from + textsInReply);
  if (part.length === 0) return undefined;
  const prose = part.flatMap(({ id, text }): NativeToken[] => [
    { kind: 'reasoning', text: `K${id}:\n\n${withNumbers(text)}` },
    ...pieces(`S${id}:\n\n${withNumbers(text)}`).map((piece) => ({ kind: 'text' as const, text: piece })),
  ]);
  const calls = part.flatMap(({ id, text }): [name: string, args: object][] => [
    ['read_file', { path: `texts/${id}.md` }],
    [`X${id}: ${text}`, { [text.slice(0, 300)]: text, path: text, deep: [{ text }], mark: `C${id}:` }],
  ]);
  const called = calls.flatMap(([name, args], index): NativeToken[] => [
    { kind: 'call', index, id: `call${from}-${index}`, name },
    { kind: 'arguments', index, text: JSON.stringify(args) },
  ]);
  return reply().native(...prose, ...called);
}

/** A reply that says the same over and over would be cut: it is given a number now and then. */
const withNumbers = (text: string): string => text.replaceAll(/.{799}/gs, (part, at) => part + String(at));

/** The window draws many characters at once anyway; what each beginning of a text looks like has a test of its own. */
const pieces = (text: string): string[] => text.match(text.length > 400 ? /.{1,500}/gs : /.{1,4}/gsu) ?? [];

function listNames(): Reply {
  return [0, 1, 2]
    .reduce((made, part) => made.toolCall('list_files', { path: `names/${part}` }), reply())
    .toolCall('glob', { pattern: 'names/**' })
    .toolCall('search', { pattern: 'ran\\(\\)' });
}

/** Before anything comes, and in mid-stream: what the model server says when it fails. */
function failure(errors: readonly string[], index: number): Reply {
  const text = errors[index] ?? '';
  return index % 2 === 0 ? reply().error(500, text) : reply().text('Half').midError(text);
}

const realCommand = `echo V001: "<img src=x onerror=${sentinel}>" '\u202E' && cat texts/*.md`;

function realCalls(texts: readonly MaliciousText[]): Reply {
  const content = texts.map(({ id, text }) => `D${id}: ${text.slice(0, 200)}`).join('\n');
  return reply()
    .toolCall('run_command', { command: realCommand })
    .toolCall('write_file', { path: 'V002: <svg onload=ran()>.html', content });
}
