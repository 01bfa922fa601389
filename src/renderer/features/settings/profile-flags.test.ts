import { describe, expect, test } from 'vitest';
import { profileFileSchema, profileSchema, type Profile } from '../../../protocol/model.ts';
import {
  changedFlags,
  changedGroups,
  defaultApprovals,
  defaultCalls,
  figures,
  groups,
  keysOf,
  parseFigure,
  resetAll,
  switches,
} from './profile-flags.ts';

const file = { name: 'Tester', tools: [] };
const profile = profileSchema.parse({
  ...file,
  id: 'tester',
  builtIn: false,
  subagentPrompt: '',
  persona: '',
  systemPrompt: 'You test.',
});

describe('the rows say what profile.json says', () => {
  test.each(Object.values(figures))('$id: default', (figure) => {
    expect(figure.read(profile)).toBe(figure.defaultValue);
  });

  test.each(Object.values(figures))('$id: limits', (figure) => {
    const accepts = (value: number): boolean =>
      profileFileSchema.safeParse({ ...file, ...figure.change(profile, value) }).success;
    const [min, max] = [figure.min ?? -1_000_000, figure.max ?? 1_000_000];
    expect([min - 1, min, max, max + 1].map(accepts)).toEqual([
      figure.min === null,
      true,
      true,
      figure.max === null,
    ]);
  });

  test.each(Object.entries(switches))('%s: default %s', (id, on) => {
    expect(profile[id as keyof Profile]).toBe(on);
  });

  const rows = groups.flatMap((group) => group.rows);
  // A list has its own section.
  const elsewhere = ['models', 'tools'];

  test('every key of profile.json has exactly one row', () => {
    const keys = rows.flatMap(keysOf).filter((key) => key !== 'sampling');
    expect([...keys, ...elsewhere, 'sampling'].toSorted()).toEqual(
      Object.keys(profileFileSchema.shape).toSorted(),
    );
  });

  test('every key of the sampling has exactly one row', () => {
    const ids = rows.flatMap((row) => (keysOf(row).includes('sampling') && 'id' in row ? [row.id] : []));
    expect(ids.toSorted()).toEqual(Object.keys(profileFileSchema.shape.sampling.unwrap().shape).toSorted());
  });

  test('every switch and figure stands in a row', () => {
    expect(rows.flatMap(keysOf)).toEqual(expect.arrayContaining(Object.keys(switches)));
    const ids = rows.flatMap((row) =>
      row.kind === 'figure' ? [row.id] : row.kind === 'switch' && row.figure ? [row.figure] : [],
    );
    expect(ids.toSorted()).toEqual(Object.keys(figures).toSorted());
  });

  test('calls and subagent tools: default', () => {
    expect(profile.calls).toBe(defaultCalls);
    expect(profile.subagentTools).toEqual([]);
  });

  test('approvals: default', () => {
    expect(profile.approvals).toBe(defaultApprovals);
  });
});

test('taking the temperature away leaves the rest of the sampling', () => {
  const hot = { ...profile, sampling: { temperature: 1.2, top_k: 40 } };
  expect(figures.temperature.change(hot, null)).toEqual({ sampling: { top_k: 40 } });
  expect(figures.temperature.change(hot, 0.3)).toEqual({ sampling: { temperature: 0.3, top_k: 40 } });
});

test('changes from the defaults are counted', () => {
  expect(changedFlags(profile)).toBe(0);
  expect(changedFlags({ ...profile, think: false, maxIterations: 5, approvals: 'ask' })).toBe(3);
  expect(changedFlags({ ...profile, planningEnabled: true, subagentTools: ['glob'], compactAt: 0.5 })).toBe(
    3,
  );
});

test('all rows go back to their defaults in one change, the sampling whole', () => {
  const changed = {
    ...profile,
    sampling: { temperature: 1.2, top_k: 40 },
    think: false,
    goalAnchoringInterval: 3,
    approvals: 'ask' as const,
  };
  const ids = changedGroups(changed).map(({ id, rows: { length } }) => `${id} ${String(length)}`);
  expect(ids).toEqual(['tools 1', 'sampling 3', 'steering 1']);
  expect(resetAll(changed)).toEqual({
    approvals: 'auto_read',
    think: null,
    goalAnchoringEnabled: true,
    goalAnchoringInterval: 5,
    sampling: {},
  });
});

describe('typing a figure', () => {
  test.each([
    ['20', 20],
    [' 7 ', 7],
    ['200', 200],
    ['201', undefined],
    ['0', undefined],
    ['2.5', undefined],
    ['-3', undefined],
    ['many', undefined],
    ['1e2', undefined],
    ['', undefined],
  ])('"%s" iterations is %s', (typed, value) => {
    expect(parseFigure(figures.maxIterations, typed)).toBe(value);
  });

  test.each([
    ['32,768', 32_768],
    ['32768', 32_768],
    ['32,76', undefined],
    ['2047', undefined],
  ])('a window of "%s" is %s', (typed, value) => {
    expect(parseFigure(figures.contextTokens, typed)).toBe(value);
  });

  test.each([
    ['', null],
    ['0.7', 0.7],
    ['5.1', undefined],
    ['-0.1', undefined],
  ])('a temperature of "%s" is %s', (typed, value) => {
    expect(parseFigure(figures.temperature, typed)).toBe(value);
  });

  test.each([
    ['-42', -42],
    ['1,000', 1000],
    ['4.2', undefined],
    ['', null],
  ])('a seed of "%s" is %s', (typed, value) => {
    expect(parseFigure(figures.seed, typed)).toBe(value);
  });
});
