/** The figures, and which rung, kind of fault and task they are made of. */
import { modelKinds, type Result, type TaskResult } from './run.ts';

/** Share of the tasks that succeed without faults and have to succeed with them. */
const leastSuccess = 0.98;

const isDone = ({ why }: Result): boolean => why === null;

export function figuresOf(results: readonly TaskResult[]): Record<string, number> {
  const counted = results.filter(({ clean }) => isDone(clean));
  const others = counted.filter(({ kind }) => kind === 'native');
  const success = (of: readonly TaskResult[]): number =>
    share(of.filter(({ faulty }) => isDone(faulty)).length, of.length);
  const replies = sum(results.map(({ faulty }) => faulty.sent.replies));
  const faults = sum(results.map(({ faulty }) => faulty.sent.faults.length));
  return {
    tasks: results.length,
    clean: counted.length,
    fault_rate: share(faults, replies),
    success: success(counted),
    ...Object.fromEntries(
      modelKinds.map((each) => [`success_${each}`, success(counted.filter(({ kind }) => kind === each))]),
    ),
    naive: share(others.filter(({ plain }) => isDone(plain)).length, others.length),
  };
}

interface Gate {
  name: string;
  least: number;
  isKept: boolean;
}

/** A kind of model that did no task has nothing to keep. */
export function gatesOf(results: readonly TaskResult[], figures: Record<string, number>): Gate[] {
  const done = modelKinds.filter((each) => results.some(({ kind }) => kind === each));
  const least = new Map<string, number>([
    ['clean', results.length],
    ['success', leastSuccess],
    ...done.map((each) => [`success_${each}`, leastSuccess] as const),
  ]);
  return [...least].map(([name, value]) => ({
    name,
    least: value,
    isKept: (figures[name] ?? 0) >= value,
  }));
}

export function tablesOf(results: readonly TaskResult[]): string {
  return [
    'fault                  drawn  tasks  done',
    ...kindLines(results),
    '',
    'seen with faults                                                        times  tasks  done  of these the plain loop failed',
    ...rungLines(results),
    '',
    'not done',
    ...failureLines(results),
  ].join('\n');
}

function kindLines(results: readonly TaskResult[]): string[] {
  const kinds = new Set(results.flatMap(({ faulty }) => faulty.sent.faults));
  return [...kinds].toSorted().map((kind) => {
    const tasks = results.filter(({ faulty }) => faulty.sent.faults.includes(kind));
    const drawn = sum(tasks.map(({ faulty }) => faulty.sent.faults.filter((each) => each === kind).length));
    return [
      kind.padEnd(22),
      cell(drawn, 5),
      cell(tasks.length, 6),
      cell(tasks.filter(({ faulty }) => isDone(faulty)).length, 5),
    ].join(' ');
  });
}

function rungLines(results: readonly TaskResult[]): string[] {
  const rungs = new Set(results.flatMap(({ faulty }) => [...faulty.rungs.keys()]));
  return [...rungs].toSorted().map((rung) => {
    const tasks = results.filter(({ faulty }) => faulty.rungs.has(rung));
    const done = tasks.filter(({ faulty }) => isDone(faulty));
    return [
      rung.padEnd(71),
      cell(sum(tasks.map(({ faulty }) => faulty.rungs.get(rung) ?? 0)), 5),
      cell(tasks.length, 6),
      cell(done.length, 5),
      cell(done.filter(({ plain }) => !isDone(plain)).length, 5),
    ].join(' ');
  });
}

const maxFailures = 40;

function failureLines(results: readonly TaskResult[]): string[] {
  const lines = results.flatMap(({ task, family, kind, clean, faulty }) => [
    ...(clean.why === null ? [] : [`${task.id} (${kind} ${family}), no faults: ${clean.why}`]),
    ...(faulty.why === null
      ? []
      : [`${task.id} (${kind} ${family}), ${faulty.sent.faults.join(', ')}: ${faulty.why}`]),
  ]);
  const more = lines.length - maxFailures;
  return more > 0 ? [...lines.slice(0, maxFailures), `... and ${more} more`] : lines;
}

const cell = (value: number, width: number): string => String(value).padStart(width);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Number((part / whole).toFixed(4)));
