/** A folder in which commands run as the tool runs them, with the record of what they do and the way back. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId, systemClock } from '../../../platform/clock.ts';
import { systemFiles, type Files } from '../../../platform/files.ts';
import { systemEntryPlaces, type EntryPlaces } from '../../../platform/place-entry.ts';
import { silentLog } from '../../../platform/log.ts';
import { systemProcesses } from '../../../platform/processes.ts';
import type { CommandChanges, UndoCoverage } from '../../../protocol/changed-files.ts';
import type { ToolDisplay } from '../../../protocol/model.ts';
import { summary } from '../../store/testing.ts';
import { openStore, type Store } from '../../store/store.ts';
import { fingerprint } from '../../tools/read-ledger.ts';
import type { CommandRecorder, RecordedCommand } from '../../tools/command-recorder.ts';
import { testRipgrep, workbench, type Workbench } from '../../tools/testing.ts';
import { FileChanges } from '../file-changes.ts';
import { openCommandRecorder } from './record-commands.ts';
import type { PointDeps } from './undo-points.ts';
import { createKeptContents } from './kept-contents.ts';

interface UndoWorldOptions {
  root?: string;
  ripgrepPath?: string | null;
  limits?: PointDeps['limits'];
  /** Of Andiron's own; commands have the system's. */
  files?: Files;
  places?: EntryPlaces;
}

export class UndoWorld {
  readonly bench: Workbench;
  readonly changes: FileChanges;
  readonly store: Store;
  readonly #commands: CommandRecorder;
  #calls = 0;

  private constructor(parts: Pick<UndoWorld, 'bench' | 'changes' | 'store'>, commands: CommandRecorder) {
    this.#commands = commands;
    this.bench = parts.bench;
    this.changes = parts.changes;
    this.store = parts.store;
  }

  /** @param root what an earlier one left, as it is */
  static async open(options: UndoWorldOptions = {}): Promise<UndoWorld> {
    const {
      root,
      ripgrepPath = testRipgrep,
      limits,
      files = systemFiles,
      places = systemEntryPlaces,
    } = options;
    const base = realpathSync(root ?? mkdtempSync(join(tmpdir(), 'andiron-undo-')));
    const dataDir = join(base, 'data');
    mkdirSync(dataDir, { recursive: true });
    const store = openStore({ dataDir, log: silentLog, newId: randomId });
    const deps = {
      store,
      files,
      places,
      clock: systemClock,
      log: silentLog,
      newId: randomId,
      onChange: () => undefined,
      isRunning: () => false,
      processes: systemProcesses,
      ripgrepPath,
      limits,
      dataDirs: [dataDir],
      platform: process.platform,
      contents: createKeptContents(join(dataDir, 'undo', 'contents'), files),
      folder: join(dataDir, 'undo', 'points'),
    };
    const changes = new FileChanges(deps);
    await changes.recover();
    const commands = await openCommandRecorder(deps);
    const bench = workbench(systemFiles, { root: base, commands, recorder: changes.recorder });
    if (!store.getSession('s'))
      store.createSession({ summary: summary(), workspaceReal: bench.workspace, contextUsage: null });
    return new UndoWorld({ bench, changes, store }, commands);
  }

  /** A call of a turn, as the journal has it. */
  async call(tool: string, args: object, turnId = 't1'): Promise<ToolDisplay | null> {
    const callId = `call${String((this.#calls += 1))}`;
    this.store.recordIntent('s', { callId, turnId, tool, args, at: 1 });
    const result = await this.bench.call(tool, args, { sessionId: 's', callId });
    return result.display;
  }

  /** What a command changed, as its row shows it. */
  async run(command: string, turnId?: string): Promise<CommandChanges | null | undefined> {
    const display = await this.call('run_command', { command }, turnId);
    if (display?.kind !== 'command') throw new Error(`${command} did not run`);
    return display.changes;
  }

  coverage(): Promise<UndoCoverage> {
    return this.#commands.coverage(this.bench.workspace);
  }

  /** A command runs as `meanwhile` does: what it is found to have changed. */
  async whileRunning(
    meanwhile: () => Promise<void> | void,
    turnId: string,
  ): Promise<{ changes: CommandChanges | null }> {
    const recorded = await this.#begin(`running-${turnId}`, turnId);
    await meanwhile();
    return { changes: await recorded.ended() };
  }

  /** The host dies while a command does `work`. @param ago how long before that it was seen to live, in milliseconds */
  async dieDuring(callId: string, work: () => void, ago = 0): Promise<void> {
    await this.#begin(callId, 't1');
    work();
    const points = join(this.bench.root, 'data', 'undo', 'points');
    const then = (Date.now() - ago) / 1_000;
    for (const name of readdirSync(points)) utimesSync(join(points, name), then, then);
    this.leave();
  }

  #begin(callId: string, turnId: string): Promise<RecordedCommand> {
    const { workspace } = this.bench;
    this.store.recordIntent('s', { callId, turnId, tool: 'run_command', args: {}, at: 1 });
    return this.#commands.begin({ sessionId: 's', callId, workspace }, undefined);
  }

  /** Each path with what stands there; what undo does not cover is left out. */
  tree(leftOut: readonly string[] = []): Record<string, string> {
    return treeOf(this.bench.workspace, leftOut);
  }

  /** Its folder stays. */
  leave(): void {
    this.store.close();
  }

  close(): void {
    this.leave();
    this.bench.remove();
  }
}

/** What is long is told by its fingerprint. */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.length > 200 ? fingerprint(bytes) : bytes.toString('latin1');
}

export function treeOf(root: string, leftOut: readonly string[] = []): Record<string, string> {
  const tree: Record<string, string> = {};
  const enter = (folder: string): void => {
    for (const name of readdirSync(join(root, folder)).toSorted()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (leftOut.some((place) => path === place || path.startsWith(`${place}/`))) continue;
      const stat = lstatSync(join(root, path));
      const mode = (stat.mode & 0o777).toString(8);
      if (stat.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(root, path))}`;
      else if (stat.isFile()) tree[path] = `${mode} ${contentOf(join(root, path))}`;
      else tree[path] = stat.isDirectory() ? `${mode} folder` : 'other';
      if (stat.isDirectory()) enter(path);
    }
  };
  enter('');
  return tree;
}
