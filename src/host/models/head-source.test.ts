import { expect, test } from 'vitest';
import { model } from '../../../test/helpers/turn-world.ts';
import { profileFileSchema, type Profile } from '../../protocol/model.ts';
import type { FrozenHead } from '../store/sessions.ts';
import { createHeadSource } from './head-source.ts';

const profileOf = (id: string, systemPrompt = id): Profile => ({
  ...profileFileSchema.parse({ name: id, tools: [] }),
  id,
  builtIn: true,
  systemPrompt,
  subagentPrompt: '',
  persona: '',
});

function harness(frozen: Record<string, FrozenHead> = {}, choosable: () => string[] | null = () => null) {
  const state = { plans: false, profiles: [profileOf('one'), profileOf('two')], frozen };
  const source = createHeadSource(
    {
      getHead: (id) => state.frozen[id] ?? null,
      setHead: (id, head) => void (state.frozen[id] = head),
    },
    {
      resolve: (id) => state.profiles.find((each) => each.id === id) ?? profileOf(id),
      list: () => state.profiles,
      persona: () => '',
      choosable,
    },
    new Map(),
    { holds: (_, ability) => ability === 'planning' && state.plans },
  );
  const toolsets = (session = 's', profile = 'one') => source.forTurn(session)(profile).toolsets;
  return { state, source, toolsets };
}
const other = { ...model, digest: 'other' };

test('A model that plans well is shown the planning tools, and another model is not', () => {
  const { state, source, toolsets } = harness();
  expect([toolsets().of(model), source.fresh('one')?.toolsets.of(model)]).toEqual(['core', 'core']);
  state.plans = true;
  expect([toolsets().of(model), source.fresh('one')?.toolsets.of(model)]).toEqual(['full', 'full']);
});

test.each([
  ['gained', false, 'core'],
  ['lost', true, 'full'],
] as const)('A toolset that was kept stays when planning is %s, in later turns too', (_, before, kept) => {
  const { state, toolsets } = harness();
  state.plans = before;
  const running = toolsets();
  running.keep(model);
  state.plans = !before;
  running.keep(model);
  expect([running.of(model), toolsets().of(model)]).toEqual([kept, kept]);
});

test('A session, a model and a profile each have a toolset of their own', () => {
  const { state, toolsets } = harness();
  toolsets().keep(model);
  state.plans = true;
  expect(toolsets('another').of(model)).toBe('full');
  expect(toolsets().of(other)).toBe('full');
  toolsets().keep(other);
  state.plans = false;
  expect([toolsets().of(model), toolsets().of(other)]).toEqual(['core', 'full']);
  expect(toolsets('s', 'two').of(other)).toBe('core');
});

test('A head that is read again because its profile has changed has its toolset chosen again', () => {
  const { state, toolsets } = harness();
  toolsets().keep(model);
  state.plans = true;
  state.profiles = [profileOf('one', 'Be brief.')];
  expect(toolsets().of(model)).toBe('full');
});

test('A toolset of a profile that was left within the turn is not kept for the next one', () => {
  const { state, source } = harness();
  const turn = source.forTurn('s');
  const { toolsets: left } = turn('one');
  const { toolsets } = turn('two');
  left.keep(model);
  state.plans = true;
  expect(toolsets.of(model)).toBe('full');
});

test('A session of an older Andiron goes on with all of its tools', () => {
  const { toolsets } = harness({
    s: { profileId: 'one', head: { system: 'one', tools: [] }, think: null },
  });
  toolsets().keep(model);
  expect(toolsets().of(model)).toBe('full');
});

test('The profiles of a place are looked up when they are asked for, and not before', () => {
  let ids: string[] | null = null;
  const { source } = harness({}, () => {
    if (!ids) throw new Error('The disk fails.');
    return ids;
  });
  const choosable = source.choosable('s');
  ids = ['two'];
  expect(choosable.profiles().map(({ id }) => id)).toEqual(['two']);
  expect([choosable.fresh('one'), choosable.fresh('two')?.profile.id]).toEqual([undefined, 'two']);
});
