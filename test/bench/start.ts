/**
 * How long Andiron takes to start, beside the least that could start in its place.
 *
 *   npm run bench:start -- [--runs N] [--only ready|paint]
 *
 * Ready: the host of `out/` is started as the headless server starts it, once on an empty data folder and then on one with
 * 2,000 sessions, until it serves windows. Before each start two Nodes are started that do nothing, until they have ended.
 * Painted: a Chromium that was there before until its window shows where to write, and before each one another with one
 * field alone.
 * Each figure is the median of its pairs, raw beside Andiron, one after the other in one run.
 *
 * - ready_over_node: the host ÷ `node -e 0` with the machine's own Node (`node`: its version; Node 20 where CI runs), from
 *   the second start on, as every day;
 * - ready_over_pinned: the same ÷ an empty script in the Node that the host runs in, which starts in half the time;
 * - first_over_node: the very first start, which makes the database, compiles all code and tries the sandbox out before
 *   it is ready; one value, no gate;
 * - paint_over_blank: the window ÷ the field alone, from the start of the browser; page_over_blank_ms: what of it is the
 *   page's own, from its beginning, no gate.
 *
 * Exits with 1 when `ready_over_node` is above 2, `ready_over_pinned` above 5 or `paint_over_blank` above 1.25.
 */
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/host/store/store.ts';
import { summary, textItem, turn } from '../../src/host/store/testing.ts';
import { codeCacheVariables } from '../../src/platform/code-cache.ts';
import { forkHost } from '../../src/platform/fork-host.ts';
import { silentLog } from '../../src/platform/log.ts';
import { projectRoot } from '../helpers/server-process.ts';
import { median, medianOfPairs, round } from './engine/figures.ts';
import { paintFigures } from './start/paint.ts';

const sessions = 2_000;
const most = { ready_over_node: 2, ready_over_pinned: 5, paint_over_blank: 1.25 };
/** A browser takes ten times as long as a Node. */
const runsOfPaint = 3;

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '21' }, only: { type: 'string' } },
});
const runs = Number(values.runs);
if (!Number.isSafeInteger(runs) || runs < 1)
  throw new Error(`--runs needs a whole number, not ${values.runs}.`);
const entry = join(projectRoot, 'out', 'main', 'host.js');
if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build first.`);

const parts: Record<string, () => Promise<Record<string, number | string>>> = {
  ready: readyFigures,
  paint: () => paintFigures(Math.ceil(runs / runsOfPaint)),
};
const figures: Record<string, number | string> = { runs };
for (const name of values.only === undefined ? Object.keys(parts) : [values.only]) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}.`);
  Object.assign(figures, await part());
}
let passed = true;
for (const [name, limit] of Object.entries(most)) {
  const found = figures[name];
  if (found === undefined) continue;
  const isOk = Number(found) <= limit;
  passed &&= isOk;
  console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name} ${String(found)}, most ${String(limit)}`);
}
console.log(JSON.stringify({ bench: 'start', figures }));
process.exitCode = passed ? 0 : 1;

async function readyFigures(): Promise<Record<string, number | string>> {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-start-'));
  try {
    const dataDir = join(folder, 'data');
    const empty = join(folder, 'empty.mjs');
    writeFileSync(empty, '');
    const first = await msToReady(dataDir);
    fill(dataDir);
    const own = machinesNode();
    const node: number[] = [];
    const pinned: number[] = [];
    const host: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      node.push(await msToEnd(() => spawn(own.path, ['-e', '0'], { stdio: ['ignore', 2, 2] })));
      pinned.push(await msToEnd(() => fork(empty, [], { stdio: ['ignore', 2, 2, 'ipc'] })));
      host.push(await msToReady(dataDir));
    }
    return {
      node: own.version,
      node_ms: round(median(node), 1),
      pinned_ms: round(median(pinned), 1),
      ready_ms: round(median(host), 1),
      ready_over_node: round(medianOfPairs(host, node), 2),
      ready_over_pinned: round(medianOfPairs(host, pinned), 2),
      first_over_node: round(first / median(node), 2),
      sessions,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function msToEnd(start: () => ChildProcess): Promise<number> {
  const began = performance.now();
  await once(start(), 'exit');
  return performance.now() - began;
}

/** What `node` means outside of this project, whose commands run in a Node of their own. */
function machinesNode(): { path: string; version: string } {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = folders
    .filter((folder) => !folder.split(sep).includes('node_modules'))
    .map((folder) => join(folder, name))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) return { path: process.execPath, version: process.version };
  return { path, version: spawnSync(path, ['-v'], { encoding: 'utf8' }).stdout.trim() };
}

/** Ends it politely before it answers. */
async function msToReady(dataDir: string): Promise<number> {
  const env = codeCacheVariables(dataDir);
  const began = performance.now();
  const host = forkHost(entry, silentLog, { env });
  const ended = Promise.withResolvers<number | null>();
  let ready = Number.NaN;
  host.onExit(ended.resolve);
  host.onMessage((message) => {
    if (message.type === 'failed') throw new Error(message.message);
    if (message.type !== 'ready') return;
    ready = performance.now() - began;
    host.post({ type: 'stop' });
  });
  host.post({
    type: 'init',
    init: { dataDir, workspace: null, resourcesDir: join(projectRoot, 'resources') },
  });
  await ended.promise;
  return ready;
}

function fill(dataDir: string): void {
  let ids = 0;
  const store = openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}${ids++}` });
  for (let number = 0; number < sessions; number += 1) {
    const id = `s${number}`;
    const turnId = `t${number}`;
    store.createSession({
      summary: summary({ id, status: 'idle' }),
      workspaceReal: dataDir,
      contextUsage: null,
    });
    store.saveTurn(id, turn({ id: turnId, status: 'finished', closed: true }));
    for (let item = 0; item < 3; item += 1) {
      store.saveItem(id, textItem(item, { id: `i${number}-${item}`, turnId }));
    }
  }
  store.close();
}
