import { expect, test } from 'vitest';
import { model, profile } from '../../../test/helpers/turn-world.ts';
import type { Lease, Toolset } from '../loop/deps.ts';
import { createCacheTrackers } from '../models/cache-trackers.ts';
import { historyPolicy } from '../prompt/template-policy.ts';
import { silentLog } from '../../platform/log.ts';
import { createWarmUps, type Subject } from './warm-up.ts';

const clock = { now: () => 1, monotonic: () => 1, after: () => ({ cancel: () => undefined }) };
const { signal } = new AbortController();
const counters = { promptTokens: 9, cachedTokens: 0, promptMs: 1 };
const shown = (name: string) => ({
  name,
  description: name,
  schema: { type: 'object' as const, properties: {}, required: [] },
});

test('A prompt that was read ahead is rendered again once its model is shown other tools', async () => {
  const evaluated: string[] = [];
  let toolset: Toolset = 'core';
  const warmUps = createWarmUps({
    templates: { policyOf: async () => historyPolicy(model), cardOf: () => undefined },
    wire: {
      render: async (_, { head, messages }) => ({
        prompt: `${head.tools.map(({ name }) => name).join()}|${'.'.repeat(64)}\n${messages.at(-1)?.content ?? ''}`,
      }),
      evaluate: async (_, prompt) => (evaluated.push(prompt), counters),
      modelInfo: async () => undefined,
    },
    trackers: createCacheTrackers({
      cardOf: () => undefined,
      show: () => Promise.reject(new Error('not here')),
      clock,
      newId: (prefix) => `${prefix}1`,
      log: silentLog,
    }),
    models: { holds: () => true, mayTry: () => true },
    clock,
  });
  const subject: Subject = {
    id: 's',
    active: {
      profile: profile(),
      head: { system: '', tools: [shown('echo'), shown('todo')] },
      toolsets: { of: () => toolset, keep: () => undefined },
      think: undefined,
      pinnedModel: null,
    },
    messages: [],
    opening: '',
  };
  const lease: Lease = {
    url: 'http://engine',
    plan: { model: model.name, options: { num_ctx: 4096 }, shift: false },
    model,
    release: () => undefined,
    reacquire: () => Promise.reject(new Error('not here')),
    recoverSlot: () => Promise.reject(new Error('not here')),
  };
  await warmUps.run(subject, lease, true, signal);
  toolset = 'full';
  await warmUps.run(subject, lease, true, signal);
  expect(evaluated.map((prompt) => prompt.split('|')[0])).toEqual(['echo', 'echo,todo']);
});
