import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { abilities, type Ability } from '../protocol/abilities.ts';
import {
  addObservation,
  fadeEvidence,
  holds,
  isExpected,
  isHopeful,
  isTelling,
  maxEvidence,
  scoreOf,
  type Evidence,
} from './ability-scores.ts';

const day = 24 * 60 * 60 * 1_000;
const untried = (ability: Ability): Evidence => ({ good: 0, bad: 0, held: isExpected(ability), at: 0 });
/** `+` good, `-` bad, a figure = so many days later. */
const after = (ability: Ability, story: string): { evidence: Evidence; now: number } => {
  let evidence = untried(ability);
  let now = 0;
  for (const [step] of story.matchAll(/[+-]|\d+/g)) {
    if (step === '+' || step === '-') evidence = addObservation(ability, evidence, step === '+', now);
    else now += Number(step) * day;
  }
  return { evidence, now };
};

test.each<[Ability, number, boolean]>([
  ['opens', 0.5, false],
  ['native', 0.5, false],
  ['text', 0.5, false],
  ['grammar', 2 / 3, true],
  ['pattern', 2 / 3, true],
  ['values', 2 / 3, true],
  ['settles', 0.5, false],
  ['picks', 0.5, false],
  ['restraint', 0.5, false],
  ['planning', 0.5, false],
  ['notes', 0.5, false],
])('A model that was never asked starts with %s at %d', (ability, score, held) => {
  expect(scoreOf(ability, untried(ability))).toBe(score);
  expect(isExpected(ability)).toBe(held);
  expect(holds(ability, untried(ability), 1e12)).toBe(held);
});

test.each<[Ability, string, number, boolean]>([
  ['native', '++', 3 / 4, false],
  ['native', '+++', 4 / 5, true],
  ['native', '++-', 3 / 5, true],
  ['native', '+--', 2 / 5, false],
  ['native', '+++-', 4 / 6, true],
  ['native', '+++--', 4 / 7, true],
  ['native', '+++----', 4 / 9, false],
  ['native', '---+++', 4 / 8, false],
  ['native', '---++++++', 7 / 11, true],
  ['grammar', '-', 2 / 4, true],
  ['grammar', '--', 2 / 5, true],
  ['grammar', '---', 2 / 6, false],
  ['grammar', '---++', 4 / 8, false],
  ['grammar', '---+++++', 7 / 11, true],
  ['grammar', '---+++', 5 / 9, false],
  ['pattern', '-+-+-', 4 / 8, true],
  ['opens', '+++', 4 / 5, true],
  ['opens', '-+-++', 4 / 7, false],
])('%s after %s scores %d', (ability, story, score, held) => {
  const { evidence, now } = after(ability, story);
  expect(scoreOf(ability, evidence)).toBeCloseTo(score);
  expect([evidence.held, holds(ability, evidence, now)]).toEqual([held, held]);
});

test('Five questions have told all that they can once five were answered, some days ago too', () => {
  const after4 = after('opens', '++-+').evidence;
  const after5 = after('opens', '++-++').evidence;
  expect([isTelling(after4), isTelling(after4, 5)]).toEqual([true, false]);
  expect([isTelling(after5, 5), isTelling(fadeEvidence(after5, 4 * day), 5)]).toEqual([true, true]);
});

test.each([
  ['--', 0, true],
  ['---', 0, false],
  ['-+-+-+-+', 0, true],
  ['--------+', 0, false],
  ['---', 60, true],
])('After %s and %d days an ability is worth a try: %s', (story, days, isWorth) => {
  const { evidence } = after('opens', story);
  expect(isHopeful('opens', evidence, days * day)).toBe(isWorth);
});

test('Counts halve every 30 days, and a clock that went back changes nothing', () => {
  const { evidence } = after('native', '++++--');
  expect(fadeEvidence(evidence, 30 * day)).toMatchObject({ good: 2, bad: 1, at: 0 });
  expect(fadeEvidence(evidence, 90 * day)).toMatchObject({ good: 0.5, bad: 0.25 });
  expect(fadeEvidence({ ...evidence, at: 5 * day }, 0)).toMatchObject({ good: 4, bad: 2 });
  const next = addObservation('native', evidence, true, 30 * day);
  expect(next).toMatchObject({ good: 3, bad: 1, at: 30 * day });
});

test('A model that was good keeps what it holds however long nobody used it', () => {
  const { evidence } = after('native', '+++');
  expect(holds('native', evidence, 1_000 * day)).toBe(true);
  expect(isTelling(fadeEvidence(evidence, 1_000 * day))).toBe(false);
});

test('What is expected of every model is tried again once the evidence against it has faded', () => {
  const { evidence } = after('grammar', '---');
  expect([0, 4, 5, 60].map((days) => holds('grammar', evidence, days * day))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const native = after('native', '---').evidence;
  expect(holds('native', native, 60 * day)).toBe(false);
});

test('Counts never exceed twenty, and newer evidence takes the place of older', () => {
  const { evidence } = after('native', '+'.repeat(100));
  expect(evidence.good + evidence.bad).toBeCloseTo(maxEvidence);
  const failed = after('native', `${'+'.repeat(100)}${'-'.repeat(20)}`).evidence;
  expect(failed.held).toBe(false);
  expect(failed.good).toBeLessThan(failed.bad);
});

const events = fc.array(
  fc.record({
    isGood: fc.boolean(),
    later: fc.oneof(
      fc.constant(0),
      fc.nat(200 * 24).map((hours) => hours / 24),
    ),
  }),
  { maxLength: 80 },
);

test('No single event changes what a model holds, in whatever order and at whatever times', () => {
  fc.assert(
    fc.property(fc.constantFrom(...abilities), events, (ability, all) => {
      let evidence = untried(ability);
      let now = 0;
      const changes: number[] = [];
      for (const [index, { isGood, later }] of all.entries()) {
        now += later * day;
        const before = holds(ability, evidence, now);
        evidence = addObservation(ability, evidence, isGood, now);
        if (evidence.held !== before) changes.push(index + 1);
      }
      expect(changes[0] ?? 3).toBeGreaterThanOrEqual(3);
      expect(changes.slice(1).every((count, index) => count - (changes[index] ?? 0) > 1)).toBe(true);
      expect(evidence.good + evidence.bad).toBeLessThanOrEqual(maxEvidence + 1e-9);
    }),
    { numRuns: 2_000 },
  );
});

test('A model that only fails is demoted, and one that only succeeds is promoted, within a bounded time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...abilities), events, fc.boolean(), (ability, all, isGood) => {
      let evidence = untried(ability);
      let now = 0;
      for (const event of all) {
        now += event.later * day;
        evidence = addObservation(ability, evidence, event.isGood, now);
      }
      for (let count = 0; count < 2 * maxEvidence; count += 1)
        evidence = addObservation(ability, evidence, isGood, now);
      expect(evidence.held).toBe(isGood);
    }),
  );
});
