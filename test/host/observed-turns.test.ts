/** What turns show of their models, and what a model is shown and asked because of it. */
import { expect, test } from 'vitest';
import { call, done, model, profile, text, TurnWorld } from '../helpers/turn-world.ts';

test('A turn keeps the toolset of its head before its first request, which may be about its plan', async () => {
  const world = new TurnWorld([text('DIRECT'), done()], [text('Hi.'), done()]);
  world.active = profile({ planningEnabled: true });
  const kept: number[] = [];
  world.toolsets = { of: () => 'full', keep: () => void kept.push(world.requests.length) };
  await world.run();
  expect([kept[0], world.requests.length]).toEqual([0, 2]);
});

test('A turn that goes on with another model keeps the toolset for that one too', async () => {
  const world = new TurnWorld([call('echo'), done()], [text('Hi.'), done()]);
  const kept = new Set<string>();
  world.toolsets = { of: () => 'full', keep: ({ name }) => void kept.add(name) };
  world.onExecute = async () => {
    world.active = profile({ id: 'other' });
    world.chooseModel = async () => ({ ...model, name: 'other-model' });
    return 'done';
  };
  await world.run();
  expect([...kept]).toEqual([model.name, 'other-model']);
});
