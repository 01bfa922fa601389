import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MemoryAccess } from '../tools/memory-access.ts';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { Memory } from './memory.ts';
import type { MemoryBench } from './testing.ts';
import { memoryBench } from './testing.ts';

let bench: MemoryBench;
let memory: Memory;
beforeEach(() => {
  bench = memoryBench();
  ({ memory } = bench);
});
afterEach(() => bench.remove());

const asIs = (text: string): string => text;
const save = (key: string, value: string, category = 'person') => memory.save({ category, key, value }, 's');
const recalled = (query: string) => memory.recall(query).map(({ fact }) => fact.key);

/** Facts as no Andiron would write them. */
function fill(count: number, value: string): void {
  bench.database.exec(`
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${String(count)})
    INSERT INTO memory_facts (id, user_id, category, key, value, created_at, updated_at)
      SELECT 'junk' || i, 'owner', 'thing', 'junk ' || i, '${value}', 1, i FROM n;
    INSERT INTO memory_search (rowid, category, key, value)
      SELECT number, category, key, value FROM memory_facts WHERE category = 'thing'`);
}

describe('saving', () => {
  test('names are made alike, so that a fact said again replaces the one before', () => {
    expect(save('Favourite editor', 'Vim').change).toBe('added');
    bench.pass(5);
    const { fact, change } = save(' favourite_EDITOR ', 'Neovim');
    expect(change).toBe('changed');
    expect(memory.list()).toEqual([fact]);
    expect(fact).toMatchObject({
      key: 'favourite_editor',
      value: 'Neovim',
      sourceSession: 's',
      createdAt: 1_000,
      updatedAt: 1_005,
    });
    expect(save('favourite editor', 'Neovim').change).toBe('known');
  });

  test('without a category it is general, and from a subagent it has no source', () => {
    const { fact } = memory.save({ key: 'name', value: 'Anna' }, 'subagent_1');
    expect(fact.category).toBe('general');
    expect(memory.list()[0]?.sourceSession).toBeNull();
  });

  test.each([
    ['---', 'x', 'no letters'],
    ['name', ' \u0000\n', 'empty'],
    ['story', 'long '.repeat(200_000), 'too long'],
    ['wifi password', 'swordfish', 'password'],
    ['note', 'the password is hunter2', 'password'],
    ['server', `-----BEGIN RSA PRIVATE KEY-----\n${'MIIE'.repeat(500)}`, 'private key'],
  ])('%s is refused with what to do next', (key, value, reason) => {
    expect(() => save(key, value)).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        message: expect.stringContaining(reason) as string,
        advice: expect.stringMatching(/\w/) as string,
      }),
    );
    expect(memory.list()).toEqual([]);
  });

  test('broken text is saved as what is left of it', () => {
    expect(save('name', 'An\u0000na \ud800\n Müller\u202e').fact.value).toBe('Anna Müller');
  });

  test('after its time a fact is forgotten', () => {
    memory.save({ key: 'visit', value: 'in Paris', expiresAt: 2_000 }, 's');
    bench.pass(1_000);
    expect(memory.list()).toEqual([]);
    expect(memory.search('paris')).toEqual([]);
  });
});

describe('finding', () => {
  test('any of the words is enough, and 15 are the most', () => {
    for (let index = 0; index < 20; index += 1) save(`project ${String(index)}`, 'written in Rust');
    save('name', 'Anna');
    expect(memory.search('something about rust')).toHaveLength(15);
    expect(memory.search('anna or bert').map(({ key }) => key)).toEqual(['name']);
    expect(memory.search('')).toEqual([]);
    expect(memory.search('" OR * ( NEAR')).toEqual([]);
  });

  test('accents, cases, word endings and languages without spaces do not matter', () => {
    save('name', 'Zoë Ångström');
    save('habit', 'writes tests first');
    save('家', '東京都に住んでいます');
    expect(memory.search('zoe')).toHaveLength(1);
    expect(memory.search('TESTING')).toHaveLength(1);
    expect(memory.search('東京都')).toHaveLength(1);
  });

  test('P17: five are recalled at most, the most relevant first', () => {
    for (let index = 0; index < 9; index += 1) save(`pet ${String(index)}`, 'a dog');
    save('dog', 'Rex');
    expect(recalled('What is my dog called?')).toHaveLength(5);
    expect(recalled('What is my dog called?')[0]).toBe('dog');
  });

  test('P17: nothing is recalled for a message that only brushes a fact', () => {
    save('wife', 'Anna, born 3 May, likes orchids');
    save('style', 'prefers short answers without long introductions and with a list of sources at the end');
    expect(recalled('What should I give Anna for her birthday?')).toEqual(['wife']);
    expect(recalled('Hello, how are you?')).toEqual([]);
    expect(
      recalled(
        'Read package.json, find out which test runner is configured, then make a list of all slow suites, sort it by duration and write it to report.md',
      ),
    ).toEqual([]);
  });

  test('P17: one fact alone is recalled as well as among thousands', () => {
    save('editor', 'Neovim');
    expect(recalled('open my editor')).toEqual(['editor']);
    fill(10_000, 'open source');
    expect(recalled('open my editor')[0]).toBe('editor');
  });
});

describe('the memory page', () => {
  test('forgetting takes a fact and the summary that may tell it', () => {
    const { fact } = save('city', 'Munich');
    memory.setSummary('Anna lives in Munich.', 'model');
    expect(memory.forget(fact.id)).toBe(true);
    expect(memory.forget(fact.id)).toBe(false);
    expect([memory.list(), memory.summary(), memory.block(asIs)]).toEqual([[], null, '']);
  });

  test('a corrected fact takes the summary that may tell the old one', () => {
    const { fact } = save('city', 'Munich');
    memory.setSummary('Anna lives in Munich.', 'model');
    memory.update(fact.id, 'Berlin');
    expect(memory.block(asIs)).toBe('## What I remember about the user\n\n- person: city = Berlin');
  });

  test('what the person wrote stays: a summary when facts go, a value when a model notices another', () => {
    const { fact } = save('city', 'Munich');
    memory.setSummary('I am Anna.');
    memory.update(fact.id, 'Berlin');
    expect(memory.save({ category: 'person', key: 'city', value: 'Rome' }, 's', 'noticed').change).toBe(
      'kept',
    );
    expect(memory.list()[0]).toMatchObject({ value: 'Berlin', confidence: 1 });
    expect(memory.search('munich')).toEqual([]);
    memory.forget(fact.id);
    expect(memory.summary()).toMatchObject({ text: 'I am Anna.', byPerson: true });
  });

  test('what is gone cannot be changed, and a secret cannot be written', () => {
    const { fact } = save('city', 'Munich');
    expect(() => memory.update('nobody', 'x')).toThrow(
      expect.objectContaining({ code: 'not_found', advice: expect.stringContaining('again') as string }),
    );
    expect(() => memory.update(fact.id, 'pin: 4711')).toThrow(
      expect.objectContaining({ code: 'invalid_params' }),
    );
    expect(() => memory.setSummary('The password is hunter2.')).toThrow(
      expect.objectContaining({ code: 'invalid_params' }),
    );
    expect(memory.list()).toEqual([fact]);
  });

  test('clearing forgets everything', () => {
    save('city', 'Munich');
    memory.setSummary('I am Anna.');
    memory.clear();
    expect([memory.list(), memory.summary(), memory.search('munich')]).toEqual([[], null, []]);
  });

  test('what was forgotten comes back as it was, unless something took its place', () => {
    const { fact } = save('city', 'Munich');
    memory.forget(fact.id);
    bench.pass(5_000);
    expect(memory.restore(fact.id)).toEqual(fact);
    expect(recalled('which city do I live in, munich')).toEqual(['city']);
    memory.forget(fact.id);
    const { fact: newer } = save('city', 'Berlin');
    expect(() => memory.restore(fact.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(memory.list()).toEqual([newer]);
  });

  test('what was cleared does not come back', () => {
    const { fact } = save('city', 'Munich');
    memory.forget(fact.id);
    save('editor', 'Vim');
    expect(memory.clear()).toBe(1);
    expect(() => memory.restore(fact.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('every change is told once, and what changes nothing is not', () => {
    let told = 0;
    const watched = new Memory(
      bench.store,
      bench.clock,
      (prefix) => `${prefix}w`,
      () => (told += 1),
    );
    const { fact } = watched.save({ key: 'city', value: 'Munich' }, 's');
    watched.save({ key: 'city', value: 'Munich' }, 's');
    expect(told).toBe(1);
    watched.update(fact.id, 'Berlin');
    watched.forget(fact.id);
    watched.restore(fact.id);
    watched.setSummary('I am Anna.');
    watched.clear();
    expect(told).toBe(6);
    expect(() => watched.update(fact.id, 'Bonn')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(told).toBe(6);
  });

  test('an emptied summary is removed', () => {
    memory.setSummary('I am Anna.');
    memory.setSummary('  ');
    expect(memory.summary()).toBeNull();
  });
});

describe('the block of a new session', () => {
  test('J1: is the summary, and what was learnt after it', () => {
    save('city', 'Munich');
    bench.pass(1);
    memory.setSummary('Anna lives in Munich.', 'model');
    expect(memory.block(asIs)).toBe('## What I remember about the user\n\nAnna lives in Munich.');
    bench.pass(1);
    save('city', 'Berlin');
    expect(memory.block(asIs)).toBe(
      '## What I remember about the user\n\nAnna lives in Munich.\n\n- person: city = Berlin',
    );
  });

  test('has what was learnt after a clock that was ahead was set right, and once the summary knows it, once', () => {
    bench.pass(1_000_000);
    memory.setSummary('Anna lives in Munich.', 'model');
    bench.pass(-1_000_000);
    save('city', 'Lisbon');
    expect(memory.block(asIs)).toContain('- person: city = Lisbon');
    memory.setSummary('Anna lives in Lisbon.', 'model', memory.asOf());
    expect(memory.block(asIs)).toBe('## What I remember about the user\n\nAnna lives in Lisbon.');
  });

  test('stays short and searching stays fast when memory is full of junk', () => {
    fill(10_000, `junk ${'common words again '.repeat(8)}\u0007[andiron note]`);
    save('editor', 'Neovim');
    const before = threadMs();
    expect(memory.search('junk common words again editor '.repeat(30_000))).toHaveLength(15);
    expect(recalled('which editor do I use')).toEqual(['editor']);
    const block = memory.block((text) => text.replaceAll('[andiron note]', '[broken]'));
    // Some fifty times what it takes: only work that grows out of hand is caught.
    expect(threadMs() - before).toBeLessThan(4_000);
    expect(block.length).toBeLessThan(2_200);
    expect(block).not.toMatch(/[^\P{C}\n]|\[andiron note\]/u);
  });
});

test('the tools can use it as it is', () => {
  const access: Pick<MemoryAccess, 'save'> = memory;
  expect(access.save({ key: 'name', value: 'Anna' }, 's', 'saved').change).toBe('added');
});
