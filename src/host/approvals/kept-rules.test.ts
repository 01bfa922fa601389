import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import type { Store } from '../store/store.ts';
import { createKeptRules, type KeptRules } from './kept-rules.ts';

let folder: StoreFolder;
let store: Store;
let rules: KeptRules;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  let ids = 0;
  const newId = (prefix: string): string => `${prefix}${String((ids += 1))}`;
  rules = createKeptRules({ store, newId, clock: systemClock, onChange: () => undefined });
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.createSession({ summary: { ...summary(), id: 'ann' }, workspaceReal: '/w', contextUsage: null });
  store.putUser({
    id: 'user_ann',
    name: 'Ann',
    level: 'admin',
    budget: null,
    used: 0,
    resetAt: 0,
    blockedAt: null,
    createdAt: 0,
  });
  const place = { platform: 'telegram', server: '', channel: 'c', thread: '', part: '' };
  store.setPlace('ann', 'user_ann', place, null);
});
afterEach(() => folder.remove());

const rule = { words: ['npm', 'test'], isExact: true };

describe('A rule that was given in a turn of the owner', () => {
  beforeEach(() => {
    rules.commandsOf('s').add('/w', rule);
    rules.hostsOf('s').add('/w', 'pypi.org', 'folder');
  });

  test('lets nothing run and nothing be reached in a turn of another person, in the same folder (X2)', () => {
    expect(rules.commandsOf('s').of('/w')).toMatchObject([rule]);
    expect(rules.hostsOf('s').of('/w')).toMatchObject([{ host: 'pypi.org' }]);
    expect(rules.commandsOf('ann').of('/w')).toEqual([]);
    expect(rules.hostsOf('ann').of('/w')).toEqual([]);
  });

  test('holds in a conversation of several people while the owner speaks, and for nobody after (X2)', () => {
    store.setSpeaker('ann', 'owner');
    expect(rules.commandsOf('ann').of('/w')).toMatchObject([rule]);
    store.setSpeaker('ann', null);
    expect(rules.commandsOf('ann').of('/w')).toEqual([]);
    expect(rules.hostsOf('ann').of('/w')).toEqual([]);
  });
});

test('A rule that was given in a turn of another person holds in theirs alone, and is listed by their name (X2)', () => {
  rules.commandsOf('ann').add('/w', rule);
  rules.hostsOf('ann').add('/w', 'pypi.org', 'folder');
  expect(rules.commandsOf('ann').of('/w')).toMatchObject([rule]);
  expect(rules.commandsOf('s').of('/w')).toEqual([]);
  expect(rules.hostsOf('s').of('/w')).toEqual([]);
  const { rules: commands, hosts } = rules.list();
  expect([...commands, ...hosts].map(({ person }) => person)).toEqual(['Ann', 'Ann']);
});

test('The same rule is kept for each person, and taken from one of them alone (X2)', () => {
  rules.commandsOf('s').add('/w', rule);
  rules.commandsOf('ann').add('/w', rule);
  const { rules: listed } = rules.list();
  expect(listed.map(({ person }) => person)).toEqual([null, 'Ann']);
  expect(rules.remove(listed[0]?.id ?? '')).toBe(true);
  expect(rules.commandsOf('s').of('/w')).toEqual([]);
  expect(rules.commandsOf('ann').of('/w')).toMatchObject([rule]);
});

test('Hosts that the owner adds for a folder are reached in no turn of another person (X2)', () => {
  rules.addHosts('/w', ['pypi.org']);
  expect(rules.hostsOf('s').of('/w')).toMatchObject([{ host: 'pypi.org' }]);
  expect(rules.hostsOf('ann').of('/w')).toEqual([]);
});
