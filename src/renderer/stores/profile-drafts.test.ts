import { expect, test } from 'vitest';
import { aProfile } from '../testing/fixtures.ts';
import { MemoryStorage } from '../testing/window-kit.tsx';
import {
  isUnsaved,
  keepFlagsDraft,
  keepPromptDraft,
  readFlagsDraft,
  readPromptDraft,
  settleFlagsDraft,
  settlePromptDraft,
  storedDraft,
  storedFlags,
  unsavedPrompts,
} from './profile-drafts.ts';
import { createUiStore } from './ui-store.ts';

const profile = aProfile();

test('a text that is not saved survives the window, until it is forgotten', () => {
  const storage = new MemoryStorage();
  keepPromptDraft(createUiStore(storage), 'developer', 'system', { base: 'a', text: '' });
  const again = createUiStore(storage);
  const stored = storedDraft(again.getState().drafts, 'developer', 'system');
  expect(readPromptDraft(stored)).toEqual({ base: 'a', text: '' });
  expect(unsavedPrompts(again.getState().drafts, profile)).toEqual(['system']);
  keepPromptDraft(again, 'developer', 'system', null);
  expect(isUnsaved(again.getState().drafts, profile)).toBe(false);
});

test('a text that says what the file says is saved', () => {
  const store = createUiStore(new MemoryStorage());
  keepPromptDraft(store, 'developer', 'system', { base: 'old', text: `${profile.systemPrompt}\n` });
  expect(isUnsaved(store.getState().drafts, profile)).toBe(false);
});

test.each(['', 'x', '{}', '[]', '[1,2]', '["a"]', 'null'])('"%s" is no draft', (stored) => {
  expect(readPromptDraft(stored)).toBeNull();
  expect(readFlagsDraft(stored, profile)).toBeNull();
});

test('of flags only what has the shape of the profile’s own is taken', () => {
  const changes = {
    models: 'all',
    tools: ['glob'],
    maxIterations: '5',
    planningEnabled: true,
    think: null,
    sampling: [],
    unknown: 1,
  };
  const draft = readFlagsDraft(JSON.stringify([changes, {}]), profile);
  expect(draft?.changes).toEqual({ tools: ['glob'], planningEnabled: true, think: null });
});

test('what was changed while something was saved stays', () => {
  const store = createUiStore(new MemoryStorage());
  const read = () => readFlagsDraft(storedFlags(store.getState().drafts, 'developer'), profile);
  keepFlagsDraft(store, 'developer', {
    changes: { maxIterations: 5, tools: ['glob'] },
    from: { maxIterations: 20, tools: [] },
  });
  settleFlagsDraft(store, 'developer', { maxIterations: 5 });
  expect(read()?.changes).toEqual({ tools: ['glob'] });
  settleFlagsDraft(store, 'developer', { tools: ['glob'] });
  expect(read()).toBeNull();
});

test('a text that was changed while it was saved stays a draft, which began with what was saved', () => {
  const store = createUiStore(new MemoryStorage());
  const read = () => readPromptDraft(storedDraft(store.getState().drafts, 'developer', 'system'));
  keepPromptDraft(store, 'developer', 'system', { base: 'a', text: 'a b c' });
  settlePromptDraft(store, 'developer', 'system', 'a b\n');
  expect(read()).toEqual({ base: 'a b', text: 'a b c' });
  settlePromptDraft(store, 'developer', 'system', 'a b c');
  expect(read()).toBeNull();
});

test('a text that was given up while it was saved is no draft', () => {
  const store = createUiStore(new MemoryStorage());
  settlePromptDraft(store, 'developer', 'system', 'a b');
  expect(storedDraft(store.getState().drafts, 'developer', 'system')).toBeUndefined();
});
