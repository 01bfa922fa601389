import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { model } from '../../../test/helpers/turn-world.ts';
import { modeByItself } from '../loop/calling.ts';
import { storeFolder } from '../store/testing.ts';
import { createModelAbilities } from './abilities.ts';

const folder = storeFolder();
afterEach(() => folder.remove());

test('A refusal that an older Andiron had learnt for ever is dropped (audit-E2)', () => {
  const store = folder.open();
  const small = { ...model, parameterSize: '630.17M' };
  const older = { mode: 'native', takesGrammar: false, provenNative: true, grammarSteps: 2 };
  store.writeModelFact(model.digest, 'calling', older);
  const knowledge = createModelAbilities(store);
  expect(knowledge.calling(model)).toEqual({ mode: 'native', provenNative: true, grammarSteps: 2 });
  expect(modeByItself(small, { toolsInSystem: false }, knowledge)).toBe('constrained');
  knowledge.learnCalling(model, knowledge.calling(model));
  const stored = store.readModelFact(model.digest, 'calling', z.record(z.string(), z.unknown()));
  expect(stored).not.toHaveProperty('takesGrammar');
});
