/** Every planned time of a year tells the truth, whatever the computer did. */
import { expect, it } from 'vitest';
import { fatesOf, plannedTimes, type Fate } from '../helpers/job-oracle.ts';
import { drawYear, hour, JobYear, minute, type YearJob } from '../helpers/job-year.ts';

const job = (
  expression: string,
  timeZone: string,
  afterMissed: 'run_once' | 'skip',
  turnMs: number,
): YearJob => ({
  name: expression,
  task: 'Look around.',
  when: { kind: 'cron', expression, timeZone },
  profileId: 'developer',
  workspace: null,
  afterMissed,
  turnMs,
});
const jobs: YearJob[] = [
  job('0 7 * * *', 'Europe/Berlin', 'run_once', 5 * minute),
  job('30 2 * * *', 'America/New_York', 'skip', 2 * minute),
  job('30 2 * * 1-5', 'Europe/Berlin', 'run_once', 4 * minute),
  // Clocks are changed on Sundays.
  job('0 * * * 0', 'Australia/Lord_Howe', 'skip', 3 * minute),
  job('*/15 9 * * *', 'America/New_York', 'run_once', 20 * minute),
  { ...job('', '', 'run_once', 400 * minute), when: { kind: 'interval', everyMs: 315 * minute } },
  { ...job('', '', 'run_once', minute), when: { kind: 'once', at: Date.parse('2026-03-29T01:00:00Z') } },
  { ...job('', '', 'skip', minute), when: { kind: 'once', at: Date.parse('2026-11-01T06:00:00Z') } },
];

const words = ({ state, reason }: Fate): string => `${state} ${reason ?? ''}`.trim();

it.each([1, 2])('Every planned time of a year became what it says (seed %i)', async (seed) => {
  const script = drawYear(seed);
  const year = await JobYear.live(script, jobs);
  const counted = new Map<string, number>();
  const untrue: string[] = [];
  for (const [index, each] of jobs.entries()) {
    const times = plannedTimes(each, script);
    const expected = fatesOf(script, each, times);
    const found = new Map<number, string>();
    const indices = new Map(times.map((at, place) => [at, place]));
    const indexOf = (at: number): number | undefined => indices.get(at);
    for (const run of year.runs(index)) {
      const first = indexOf(run.plannedAt);
      const covered =
        first === undefined ? [] : times.slice(first, (indexOf(run.lastPlannedAt) ?? first) + 1);
      // The last ones of the year are still running as it ends: the next start would tell.
      if (run.state === 'running') continue;
      if (covered.length !== run.count)
        untrue.push(`${each.name}: ${String(run.count)} are ${String(covered.length)}`);
      if (run.state === 'ran' && run.turnId === null) untrue.push(`${each.name}: no turn`);
      for (const at of covered) found.set(at, found.has(at) ? 'twice' : words(run));
    }
    for (const at of new Set([...expected.keys(), ...found.keys()])) {
      const fate = expected.get(at);
      const [is, shouldBe] = [found.get(at) ?? 'nothing', fate ? words(fate) : 'nothing'];
      counted.set(shouldBe, (counted.get(shouldBe) ?? 0) + 1);
      const isOpen =
        shouldBe === 'failed interrupted' && is === 'nothing' && at > script.began + 364 * 24 * hour;
      if (is !== shouldBe && !isOpen)
        untrue.push(`${each.name} ${new Date(at).toISOString()}: ${is}, but ${shouldBe}`);
    }
  }
  process.stdout.write(
    `${JSON.stringify({ seed, untrue_states: untrue.length, ...Object.fromEntries(counted) })}\n`,
  );
  year.close();
  expect(untrue.slice(0, 10)).toEqual([]);
  // The year had some of everything.
  expect([...counted.keys()].toSorted()).toEqual([
    'failed error',
    'failed interrupted',
    'late asleep',
    'late clock',
    'late closed',
    'late waited',
    'missed asleep',
    'missed clock',
    'missed closed',
    'ran',
    'skipped gpu_released',
    'skipped over_budget',
    'skipped still_running',
  ]);
});
