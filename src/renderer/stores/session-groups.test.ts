import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../protocol/model.ts';
import { aSession } from '../testing/fixtures.ts';
import { groupSessions, withForksBelow } from './session-groups.ts';

const noon = new Date(2026, 10, 20, 12, 0).getTime();
const day = 86_400_000;

const at = (id: string, updatedAt: number, more: Partial<SessionSummary> = {}) =>
  aSession({ id, updatedAt, ...more });
const shown = (all: SessionSummary[], by: 'folder' | 'date') =>
  groupSessions(all, { by, now: noon }).map(({ kind, folder, sessions }) => [
    folder?.name ?? kind,
    sessions.map(({ id }) => id),
  ]);

const place = (platform: string) => ({ place: { platform, channel: 'c', thread: '' } });

describe('groups of sessions', () => {
  it('by date are pinned, today, yesterday, the week and before, newest first', () => {
    const all = [
      at('old', noon - 30 * day),
      at('early', noon - 11 * 3_600_000),
      at('now', noon),
      at('late yesterday', noon - 13 * 3_600_000),
      at('week', noon - 6 * day),
      at('pin', noon - 90 * day, { pinned: true }),
    ];
    expect(shown(all, 'date')).toEqual([
      ['pinned', ['pin']],
      ['today', ['now', 'early']],
      ['yesterday', ['late yesterday']],
      ['week', ['week']],
      ['older', ['old']],
    ]);
  });

  it('by folder begin with the folder used last, and end with what others write and what has no folder', () => {
    const all = [
      at('imported', noon, { importedFrom: '/x' }),
      at('job', noon, place('schedule')),
      at('chat', noon, place('telegram')),
      at('kiln 1', noon - 2 * day),
      at('book', noon - day, { workspace: '/home/ada/handbook' }),
      at('kiln 2', noon - 3 * day),
    ];
    expect(shown(all, 'folder')).toEqual([
      ['handbook', ['book']],
      ['kiln', ['kiln 1', 'kiln 2']],
      ['people', ['chat']],
      ['programs', ['job']],
      ['none', ['imported']],
    ]);
  });

  it('by folder have each fork right below what it was forked from, and the family where its newest stands', () => {
    const all = [
      at('fork of fork', 9, { forkedFrom: 'fork', createdAt: 5 }),
      at('other', 8),
      at('second fork', 3, { forkedFrom: 'root', createdAt: 4 }),
      at('fork', 2, { forkedFrom: 'root', createdAt: 2 }),
      at('root', 1),
    ];
    expect(withForksBelow(all).map(({ id }) => id)).toEqual([
      'root',
      'fork',
      'fork of fork',
      'second fork',
      'other',
    ]);
  });

  it('lose no session where two name each other as their origin', () => {
    const all = [at('a', 2, { forkedFrom: 'b' }), at('b', 1, { forkedFrom: 'a' })];
    expect(withForksBelow(all)).toHaveLength(2);
  });
});
