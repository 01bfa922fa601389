/** A store in a folder of its own, and the smallest rows that fit the protocol. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AndironError } from '../../protocol/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Item, SessionSummary, ToolItem, Turn } from '../../protocol/model.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

export interface StoreFolder {
  path: string;
  /** What the log was told as errors. */
  errors: { message: string; fields: unknown }[];
  /** Opens the store, after closing the one before. */
  open: (migrations?: readonly string[]) => Store;
  remove: () => void;
}

export function storeFolder(): StoreFolder {
  const path = mkdtempSync(join(tmpdir(), 'andiron-store-'));
  const errors: StoreFolder['errors'] = [];
  const log: Log = {
    info() {},
    warn() {},
    error: (message, _error, fields) => void errors.push({ message, fields }),
  };
  let current: Store | undefined;
  let ids = 0;
  return {
    path,
    errors,
    open(migrations) {
      current?.close();
      current = undefined;
      current = openStore({
        dataDir: path,
        log,
        newId: (prefix) => `${prefix}${String(ids++)}`,
        ...(migrations && { migrations }),
      });
      return current;
    },
    remove() {
      current?.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** What it throws, which has to be an error of the store. */
export const storageError = (run: () => unknown): AndironError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AndironError && error.code === 'storage') return error;
    throw error;
  }
  throw new Error('expected a storage error');
};

export const summary = (more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: 's',
  title: 'A session',
  workspace: '/home/someone/project',
  profileId: 'developer',
  model: null,
  pinned: false,
  status: 'running',
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

export const turn = (more: Partial<Turn> = {}): Turn => ({
  id: 't',
  status: 'running',
  text: 'Do it',
  profileId: 'developer',
  model: 'qwen3:8b',
  phase: 'text',
  phaseSince: 1,
  queuedAt: 1,
  startedAt: 1,
  endedAt: null,
  closed: false,
  iterations: 0,
  usage: [],
  ...more,
});

const base = (index: number) => ({
  id: `i${String(index)}`,
  turnId: 't',
  index,
  startedAt: 1,
  completedAt: 2,
  cut: false,
});

export const textItem = (index: number, more: Partial<Item> = {}): Item =>
  ({ ...base(index), kind: 'text', text: `text ${String(index)}`, ...more }) as Item;

export const toolItem = (index: number, more: Partial<ToolItem> = {}): ToolItem => ({
  ...base(index),
  kind: 'tool',
  callId: `c${String(index)}`,
  tool: 'read_file',
  args: { path: 'a' },
  repairs: [],
  subject: 'a',
  state: 'done',
  output: '',
  result: 'text',
  display: null,
  sandboxed: false,
  approval: null,
  decision: null,
  runMs: 1,
  ...more,
});
