/** What the pictures of the window say at once is true at once: no scene contradicts itself in its figures. */
import { expect, it } from 'vitest';
import { scenes } from './scenes.tsx';
import { modelWorks } from './world.ts';

const now = new Date('2026-11-14T10:04:00').getTime();
const busyFrom = 15;

const moments = scenes.map(({ id, world }) => {
  const { stores } = world(now).services;
  return {
    id,
    host: stores.host.getState(),
    session: stores.session.getState().state,
    ...stores.engine.getState(),
  };
});

type Moment = (typeof moments)[number];

/** Names of the scenes of which something is not so. */
const where = (isWrong: (moment: Moment) => boolean): string[] => moments.filter(isWrong).map(({ id }) => id);

const busiest = ({ engine }: Moment): number | null => {
  const known = engine?.gpus?.flatMap(({ utilization }) => utilization ?? []) ?? [];
  return known.length === 0 ? null : Math.max(...known);
};

/** A model reads or writes for the open session. */
const works = ({ session }: Moment): boolean => session !== null && modelWorks(session);
const isUsed = (moment: Moment): boolean => {
  const { lease, lent, loading } = moment.engine ?? {};
  return works(moment) || lease != null || lent != null || loading != null;
};
const isIdle = (moment: Moment): boolean => (busiest(moment) ?? 100) < busyFrom;

it('a GPU is busy only in scenes in which somebody uses it (audit-U23)', () => {
  expect(where((moment) => (busiest(moment) ?? 0) >= busyFrom && !isUsed(moment))).toEqual([]);
});

it('a GPU is busy in every scene in which a model works (audit-U23)', () => {
  expect(where((moment) => isIdle(moment) && works(moment) && !moment.engine?.loading)).toEqual([]);
});

it('what the last minute shows ends as the bar says it is now (audit-U23)', () => {
  expect(
    where((moment) => {
      const [shown, last] = [busiest(moment), moment.timeline.at(-1)?.utilization ?? null];
      return (
        shown !== null && last !== null && !moment.engine?.lent && shown >= busyFrom !== last >= busyFrom
      );
    }),
  ).toEqual([]);
});

it('models take no more VRAM than is in use, and no card holds more than it has (audit-U23)', () => {
  expect(
    where(({ engine }) => {
      const cards = engine?.gpus ?? [];
      if (cards.some(({ vramUsedBytes }) => vramUsedBytes === null)) return false;
      const used = cards.reduce((sum, { vramUsedBytes }) => sum + (vramUsedBytes ?? 0), 0);
      const held = (engine?.loaded ?? []).reduce((sum, { vramBytes }) => sum + vramBytes, 0);
      const isOver = cards.some(
        ({ vramUsedBytes, vramTotalBytes }) =>
          vramTotalBytes !== null && (vramUsedBytes ?? 0) > vramTotalBytes,
      );
      return isOver || (cards.length > 0 && held > used);
    }),
  ).toEqual([]);
});

it('a session waits in line only where another one has the GPU (audit-U23)', () => {
  expect(
    where(
      ({ host, engine }) =>
        host.sessions.some(({ status }) => status === 'queued') &&
        engine?.lease == null &&
        !host.sessions.some(({ status }) => status === 'running' || status === 'asking'),
    ),
  ).toEqual([]);
});
