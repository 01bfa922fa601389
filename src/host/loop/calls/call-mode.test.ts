import { expect, test } from 'vitest';
import { allTools } from '../../../../test/helpers/proven-models.ts';
import { model, profile } from '../../../../test/helpers/turn-world.ts';
import type { Ability } from '../../../protocol/abilities.ts';
import type { ActiveProfile } from '../deps.ts';
import { callMode, callsByItself, isGuided, modeByItself, opensTurns } from './call-mode.ts';

const plain = { toolsInSystem: false };
const knows = (...abilities: Ability[]) => ({
  holds: (_: unknown, ability: Ability) => abilities.includes(ability),
  mayTry: (_: unknown, ability: Ability) => abilities.includes(ability),
});

function activeWith(
  tools: readonly string[],
  calls: 'auto' | 'native' | 'constrained' = 'auto',
): ActiveProfile {
  const shown = tools.map((name) => ({
    name,
    description: `About ${name}`,
    schema: { type: 'object' as const, properties: {}, required: [] },
  }));
  return {
    profile: profile({ calls }),
    head: { system: 'Be brief.', tools: shown },
    toolsets: allTools,
    think: undefined,
    pinnedModel: null,
  };
}

test('A model that is good at native calls makes them, and else calls under a grammar', () => {
  expect(modeByItself(model, plain, knows('native', 'grammar'))).toBe('native');
  expect(modeByItself(model, plain, knows('grammar'))).toBe('constrained');
});

test('A model that is good at no way to call is asked natively, so that its text is read', () => {
  expect(modeByItself(model, plain, knows())).toBe('native');
});

test('A model without native calls is asked under a grammar, whatever it did before', () => {
  const all = knows('native', 'grammar');
  expect(modeByItself({ ...model, capabilities: ['completion'] }, plain, all)).toBe('constrained');
  expect(modeByItself(model, { toolsInSystem: true }, all)).toBe('constrained');
});

test('A model whose abilities are unknown may call natively', () => {
  expect(modeByItself({ ...model, capabilities: null }, plain, knows('native', 'grammar'))).toBe('native');
});

test('A profile may fix the way to call', () => {
  const all = knows('native', 'grammar');
  expect(callMode(activeWith([], 'constrained'), model, plain, all)).toBe('constrained');
  expect(callMode(activeWith([], 'native'), model, plain, knows('grammar'))).toBe('native');
  expect(callMode(activeWith([], 'auto'), model, plain, all)).toBe('native');
});

const calls = (way: 'auto' | 'native' | 'constrained', ...held: Ability[]): boolean =>
  callsByItself(activeWith([], way), model, plain, knows(...held));

test('A model calls by itself when it is good at native calls, or when its profile wants them', () => {
  expect(calls('auto', 'native')).toBe(true);
  expect(calls('auto', 'grammar')).toBe(false);
  expect(calls('auto')).toBe(false);
  expect(calls('native')).toBe(true);
  expect(calls('constrained', 'native', 'grammar')).toBe(false);
});

test('A model is guided when it calls under a grammar, unless it plans well and does not open its turns well', () => {
  const files = activeWith(['read_file']);
  expect(isGuided(files, model, plain, knows('grammar', 'opens'))).toBe(true);
  expect(isGuided(files, model, plain, knows('grammar'))).toBe(true);
  expect(isGuided(files, model, plain, knows('grammar', 'planning'))).toBe(false);
  expect(isGuided(files, model, plain, knows('grammar', 'planning', 'opens'))).toBe(true);
  expect(isGuided(files, model, plain, knows('native', 'grammar', 'opens'))).toBe(false);
  expect(isGuided(activeWith(['read_file'], 'native'), model, plain, knows('grammar', 'opens'))).toBe(false);
  expect(isGuided(activeWith(['read_file'], 'constrained'), model, plain, knows('native', 'opens'))).toBe(
    true,
  );
});

test('A model is not guided without a tool that its steps could call', () => {
  const opens = knows('grammar', 'opens');
  expect(isGuided(activeWith([]), model, plain, opens)).toBe(false);
  expect(isGuided(activeWith(['todo', 'memory_save', 'spawn_agent']), model, plain, opens)).toBe(false);
  expect(isGuided(activeWith(['todo', 'run_command']), model, plain, opens)).toBe(true);
  expect(isGuided(activeWith(['tool_search', 'tool_call']), model, plain, opens)).toBe(true);
  expect(isGuided(activeWith(['web_search']), model, plain, opens)).toBe(true);
});

test('A model of which too little is known is led by what it says first', () => {
  const unknown = { ...knows('grammar'), mayTry: (_: unknown, ability: Ability) => ability === 'opens' };
  expect(opensTurns(model, unknown)).toBe(true);
  expect(opensTurns(model, knows('grammar'))).toBe(false);
});
