import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import { createPeople } from '../people/people.ts';
import { createMemories, type Memories } from './memories.ts';

let folder: StoreFolder;
let store: Store;
let memories: Memories;
let guest: string;
let changed: string[];
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  let ids = 0;
  const deps = { store, clock: systemClock, newId: (prefix: string) => `${prefix}${String((ids += 1))}` };
  changed = [];
  memories = createMemories({ ...deps, onChange: (userId) => void changed.push(userId) });
  const people = createPeople({ ...deps, onChange: () => undefined, onRights: () => undefined });
  guest = people.resolve({ platform: 'telegram', platformUserId: '1', name: 'Ann' }).id;
});
afterEach(() => folder.remove());

const input = { category: 'person', key: 'city', value: 'Oslo' };

test('What one person has said is not found, listed, recalled, changed or forgotten for another (X1)', () => {
  const { fact } = memories.of('owner').save(input, null);
  const other = memories.of(guest);
  other.setSummary('Likes tea.');
  expect(other.list()).toEqual([]);
  expect(other.search('Oslo city')).toEqual([]);
  expect(other.recall('Which city, Oslo?')).toEqual([]);
  expect(other.newerThanSummary(10)).toEqual([]);
  expect(other.forget(fact.id)).toBe(false);
  expect(() => other.update(fact.id, 'Rome')).toThrow('no longer remembered');
  expect(other.clear()).toBe(0);
  expect(memories.of('owner').list()).toEqual([fact]);
  expect(memories.of('owner').summary()).toBeNull();
});

test('Two people are remembered by the same name of a fact, each with their own words (X1)', () => {
  memories.of('owner').save(input, null);
  memories.of(guest).save({ ...input, value: 'Rome' }, null);
  const cities = ['owner', guest].map((id) =>
    memories
      .of(id)
      .search('city')
      .map(({ value }) => value),
  );
  expect(cities).toEqual([['Oslo'], ['Rome']]);
  expect(changed).toEqual(['owner', guest]);
});

test('A fact that is put under the id of another person’s leaves that as it is (X1)', () => {
  const { fact } = memories.of('owner').save(input, null);
  const words = { category: ['person'], key: ['city'], value: ['rome'] };
  store.memoryOf(guest).putFact({ ...fact, value: 'Rome' }, words);
  expect(memories.of('owner').search('city')).toMatchObject([{ value: 'Oslo' }]);
  expect(memories.of('owner').search('rome')).toEqual([]);
});

test('A session’s memory is that of whoever it belongs to, and of nobody once it is gone (X1)', () => {
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  memories.of('owner').save(input, null);
  expect(memories.ofSession('s').list()).toHaveLength(1);
  expect(memories.ofSession('gone').list()).toEqual([]);
  expect(() => memories.ofSession('gone').save(input, null)).toThrow('FOREIGN KEY');
});
