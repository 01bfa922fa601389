import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { details } from './constrained.ts';
import { modeOfWay, requestIdentity, samplingOf, wayAfter, ways } from './ways.ts';

const itself = (detail: string): string => detail;
const hello = (temperature: number | undefined, seed: number | undefined): string =>
  requestIdentity(['hello'], undefined, { temperature, seed });
const never = (): boolean => false;

test('A step goes from native calls over looser and looser grammars to text, and never back (audit-E3)', () => {
  expect(wayAfter('native', itself)).toBe('all');
  for (const [index, way] of ways.entries()) {
    expect(ways.indexOf(wayAfter(way, itself))).toBe(Math.min(index + 1, ways.length - 1));
  }
  expect(ways.map(modeOfWay)).toEqual(['native', ...details.map(() => 'constrained'), 'native']);
});

test('A grammar that is the same as the one before is passed over (audit-E2)', () => {
  expect(wayAfter('all', (detail) => (detail === 'names' ? 'loose' : 'tight'))).toBe('names');
  expect(wayAfter('all', () => 'the same')).toBe('text');
});

test('The first try of a native step is as the profile says, of a constrained one at temperature 0', () => {
  expect(samplingOf('native', 0, { temperature: 0.7 }, never)).toEqual({});
  expect(samplingOf('all', 0, { temperature: 0.7 }, never)).toEqual({ temperature: 0 });
});

test('A later try has a seed, and a temperature that lets it have one (audit-E3)', () => {
  expect(samplingOf('native', 1, { temperature: 0.7 }, never)).toEqual({ seed: 1 });
  expect(samplingOf('native', 1, { temperature: 0 }, never)).toEqual({ seed: 1, temperature: 0.4 });
  expect(samplingOf('native', 1, {}, never)).toEqual({ seed: 1, temperature: 0.4 });
  expect(samplingOf('names', 2, { temperature: 0.7 }, never)).toEqual({ seed: 2, temperature: 0.4 });
});

test('The seed does not tell two requests apart at temperature 0 (audit-E3)', () => {
  expect(hello(0, 1)).toBe(hello(0, 2));
  expect(hello(0.4, 1)).not.toBe(hello(0.4, 2));
  expect(hello(undefined, 1)).not.toBe(hello(undefined, 2));
  expect(hello(0, 1)).not.toBe(hello(0.4, 1));
  expect(requestIdentity([], { type: 'object' }, {})).not.toBe(requestIdentity([], undefined, {}));
  expect(requestIdentity(['a'], undefined, {})).not.toBe(requestIdentity(['b'], undefined, {}));
});

test('No try of a step is one that was sent before, whatever the profile samples with (audit-E3)', () => {
  const own = fc.record({
    temperature: fc.constantFrom(undefined, 0, 0.4, 1),
    seed: fc.constantFrom(undefined, 0, 1, 2),
  });
  fc.assert(
    fc.property(
      own,
      fc.array(fc.tuple(fc.constantFrom(...ways), fc.nat(3)), { minLength: 2, maxLength: 8 }),
      (profile, tries) => {
        const sent = new Set<string>();
        const identities = tries.map(([way, count]) => {
          const identityOf = (sampling: object) =>
            requestIdentity([], modeOfWay(way), { ...profile, ...sampling });
          const sampling = samplingOf(way, count, profile, (next) => sent.has(identityOf(next)));
          sent.add(identityOf(sampling));
          return identityOf(sampling);
        });
        expect(new Set(identities).size).toBe(tries.length);
      },
    ),
  );
});
