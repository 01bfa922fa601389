/** What a campaign of kills takes for lost, and what for growth that a dead host could no longer tell. */
import { expect, it } from 'vitest';
import type { ItemOf, SessionSnapshot } from '../../src/protocol/model.ts';
import { Ledger } from '../chaos/kills/ledger.ts';

const stop: ItemOf<'stopped'> = {
  id: 'item_1',
  turnId: 'turn_1',
  index: 0,
  startedAt: 1,
  completedAt: 1,
  cut: false,
  kind: 'stopped',
  closedMs: 3,
  model: 'qwen3.5:9b',
  stillLoaded: true,
  vramBytes: null,
  during: 'prefill',
};
const proof = { promptTokens: 1954, keptTokens: null, idleMs: null, slot: 'sound', reloadMs: null } as const;

const withCard = (card: ItemOf<'stopped'>): SessionSnapshot => ({
  session: {
    id: 's',
    title: 'T',
    workspace: '/w',
    profileId: 'p',
    model: null,
    pinned: false,
    status: 'idle',
    createdAt: 1,
    updatedAt: 1,
  },
  turns: [],
  items: [card],
  hasOlder: false,
  context: null,
});
const losses = (told: ItemOf<'stopped'>, kept: ItemOf<'stopped'>): string[] =>
  new Ledger().losses(withCard(told), withCard(kept));

it('takes the proof of a stop that was stored before anybody heard of it for no loss', () => {
  expect(losses(stop, { ...stop, ...proof })).toEqual([]);
});

it('takes a proof that was told and is not there for a loss', () => {
  expect(losses({ ...stop, ...proof }, stop)).toHaveLength(1);
});

it('takes a proof for a loss where what was told of the stop has changed', () => {
  expect(losses(stop, { ...stop, ...proof, closedMs: 4 })).toHaveLength(1);
});
