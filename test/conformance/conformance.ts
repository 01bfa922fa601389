/**
 * What the protocol's conformance suite says of the client of servers of tools.
 *
 *   npm run conformance
 *
 * For each version of the protocol: how many scenarios it asks a client for, and how many pass; below them what does not,
 * and which of those it does not ask for. Exits with 1 where one that is asked for does not pass.
 */
import { revisions, runSuite, type ScenarioResult } from './run-suite.ts';

const figures: Record<string, { scenarios: number; passed: number; failed: string[]; optional: string[] }> =
  {};
const namesOf = (results: readonly ScenarioResult[]): string[] => results.map(({ name }) => name);

for (const revision of revisions) {
  const results = await runSuite(revision);
  const required = results.filter(({ isOptional }) => !isOptional);
  const failed = required.filter(({ passed }) => !passed);
  for (const { name, passed, isOptional } of results)
    process.stdout.write(
      `${revision} ${passed ? 'ok  ' : 'FAIL'} ${name}${isOptional ? ' (optional)' : ''}\n`,
    );
  figures[revision] = {
    scenarios: required.length,
    passed: required.length - failed.length,
    failed: namesOf(failed),
    optional: namesOf(results.filter(({ isOptional, passed }) => isOptional && !passed)),
  };
}
process.stdout.write(`${JSON.stringify({ conformance: figures })}\n`);
const isWhole = Object.values(figures).every(
  ({ scenarios, passed }) => scenarios > 0 && passed === scenarios,
);
process.exitCode = isWhole ? 0 : 1;
