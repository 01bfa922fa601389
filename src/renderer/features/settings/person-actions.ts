/** What the settings ask of the host beside profiles and engine: memory, allowances, and the data folder. */
import { AndironError } from '../../../protocol/errors.ts';
import type { SessionGrant } from '../../../protocol/person-methods.ts';
import type { Services } from '../../commands/command.ts';
import { sessionAsJson } from '../../commands/export-sessions.ts';
import { files as filesText } from '../../text.ts';

/** All reject with what a person can read. */
export interface PersonActions {
  updateFact(factId: string, value: string): Promise<void>;
  forgetFact(factId: string): Promise<void>;
  /** A forgotten one as it was. */
  restoreFact(factId: string): Promise<void>;
  /** Returns how many facts that were. */
  forgetAll(): Promise<number>;
  /** '' removes it. */
  setSummary(text: string): Promise<void>;
  revoke(grant: Pick<SessionGrant, 'sessionId' | 'tool' | 'folder'>): Promise<void>;
  /** Returns how many deleted sessions went for good. */
  purge(): Promise<number>;
  /** Returns the bytes that the disk got back. */
  compact(): Promise<number>;
  /** Empty = sound. */
  check(): Promise<string[]>;
  /** Saves one file; `aborted` ends it without one. null = the person chose no place for it. */
  exportAll(
    onProgress: (done: number, total: number) => void,
    aborted: AbortSignal,
  ): Promise<Exported | null>;
}

interface Exported {
  sessions: number;
  bytes: number;
  /** A browser has it, and tells the page no more. */
  handedOver: boolean;
}

type Needs = Pick<Services, 'host' | 'files' | 'stores' | 'now'>;

export function personActions(services: Needs): PersonActions {
  const { host } = services;
  return {
    async updateFact(factId, value) {
      await host.call('memory/update', { factId, value });
    },
    async forgetFact(factId) {
      await host.call('memory/forget', { factId });
    },
    async restoreFact(factId) {
      await host.call('memory/restore', { factId });
    },
    forgetAll: async () => (await host.call('memory/clear', {})).forgotten,
    async setSummary(text) {
      await host.call('memory/set-summary', { text });
    },
    async revoke({ sessionId, tool, folder }) {
      await host.call('approval/revoke', { sessionId, tool, folder });
    },
    purge: async () => (await host.call('storage/purge', {})).removed,
    compact: async () => (await host.call('storage/compact', {})).freedBytes,
    check: async () => (await host.call('storage/check', {})).problems,
    exportAll: (onProgress, aborted) => exportAll(services, onProgress, aborted),
  };
}

/** One session after another: together they may be larger than one answer should be, or one text of the page. */
async function exportAll(
  { host, files, stores, now }: Needs,
  onProgress: (done: number, total: number) => void,
  aborted: AbortSignal,
): Promise<Exported | null> {
  const { sessions: list, profiles } = stores.host.getState();
  const at = new Date(now()).toISOString();
  const sessions: string[] = [];
  for (const [index, { id }] of list.entries()) {
    onProgress(index + 1, list.length);
    const session = await sessionAsJson(host, id);
    aborted.throwIfAborted();
    if (session !== null) sessions.push(session);
  }
  const memory = await host.call('memory/list', {});
  aborted.throwIfAborted();
  const own = profiles.filter(({ builtIn }) => !builtIn);
  const rest = JSON.stringify({ format: 'andiron-export', version: 1, at, memory, profiles: own });
  const separated = sessions.flatMap((session, index) => (index === 0 ? [session] : [',', session]));
  const parts = [rest.slice(0, -1), ',"sessions":[', ...separated, ']}'];
  const name = `andiron-${at.slice(0, 10)}.json`;
  const outcome = await files.save(name, parts, 'application/json');
  if (outcome === 'cancelled') return null;
  if (outcome === 'interrupted') {
    const { message, advice } = filesText.saveFailed;
    throw new AndironError('storage', message, advice);
  }
  return { sessions: sessions.length, bytes: new Blob(parts).size, handedOver: outcome === 'handed-over' };
}
