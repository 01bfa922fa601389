/** The protocol's own conformance suite against the client of servers of tools, in both versions that it speaks. */
import { expect, test } from 'vitest';
import { readSummary, revisions, runSuite } from '../conformance/run-suite.ts';

test.each(revisions)(
  'The client of servers of tools passes every scenario that version %s asks for (X8)',
  async (revision) => {
    const required = (await runSuite(revision)).filter(({ isOptional }) => !isOptional);
    // It would be empty where the suite could not be run.
    expect(required.length).toBeGreaterThan(15);
    expect(required.filter(({ passed }) => !passed)).toEqual([]);
  },
  // Fifty programs are started, on a machine that may be busy.
  300_000,
);

test('A scenario that fails is read as one, and one that is not asked for as optional', () => {
  const printed = [
    '✓ initialize: 1 passed, 0 failed',
    '✗ tools_call: 1 passed, 1 failed',
    '✗ auth/dpop: 0 passed, 3 failed',
    'Not scored for 2026-07-28: 1 scenario(s) run, 1 failing.',
    '  ✗ auth/dpop (extension)',
  ];
  expect(readSummary(printed.join('\n'))).toEqual([
    { name: 'initialize', passed: true, isOptional: false },
    { name: 'tools_call', passed: false, isOptional: false },
    { name: 'auth/dpop', passed: false, isOptional: true },
  ]);
});
