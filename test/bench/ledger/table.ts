/** The figures in columns. */
import { enough, few, type Case } from './judge.ts';
import { isInjected, type Measured } from './run.ts';

export interface Gate {
  text: string;
  holds: boolean;
}

const isRight = ({ expected, reading }: Case): boolean =>
  reading.cause === expected?.cause && reading.owner === expected.owner;
const isAppend = ({ reread, expected }: Case): boolean => reread <= few && expected?.cause !== 'window';
const errorOf = ({ predicted, cached, promptTokens }: Case): number =>
  (Math.abs(predicted - cached) / promptTokens) * 100;

const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);
const mean = (values: readonly number[]): number =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );

function figuresOfCases(cases: readonly Case[]) {
  const injected = cases.filter(isInjected);
  const append = cases.filter(isAppend);
  return {
    injected: injected.length,
    named_right: share(injected.filter(isRight).length, injected.length),
    append_steps: append.length,
    blamed: append.filter(({ reading }) => reading.cause !== null).length,
    unclear: cases.filter((one) => !isAppend(one) && !isInjected(one)).length,
    cached_error: mean(cases.filter(({ isForeseeable }) => isForeseeable).map(errorOf)),
    cached_error_of_all: mean(cases.map(errorOf)),
  };
}

export function figuresOf(measured: readonly Measured[], overScan: number): Record<string, number> {
  const all = measured.flatMap(({ cases }) => cases);
  const figures = {
    ...figuresOfCases(all),
    injected: Math.min(...measured.map(({ cases }) => cases.filter(isInjected).length)),
    injected_of_all: all.filter(isInjected).length,
    ledger_over_scan: overScan,
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}

export function gatesOf(figures: Record<string, number>, quick: boolean): Gate[] {
  const of = (name: string): number => figures[name] ?? Number.NaN;
  const least = (name: string, limit: number): Gate => ({
    text: `${name} ${of(name)}, at least ${limit}`,
    holds: of(name) >= limit,
  });
  const most = (name: string, limit: number): Gate => ({
    text: `${name} ${of(name)}, at most ${limit}`,
    holds: of(name) <= limit,
  });
  return [
    least('injected', quick ? 100 : 1500),
    // In a short run the first replies, from which the ledger learns a template, weigh more.
    least('named_right', quick ? 0.995 : 0.999),
    least('append_steps', quick ? 300 : 3500),
    most('blamed', 0),
    most('cached_error', 0.5),
    most('ledger_over_scan', 5),
  ];
}

export const gateLines = (gates: readonly Gate[]): string =>
  gates.map(({ text, holds }) => `${holds ? 'ok  ' : 'FAIL'} ${text}`).join('\n');

export function tablesOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ family, cases }) => {
    const { injected, named_right, append_steps, blamed, unclear, cached_error } = figuresOfCases(cases);
    return [family, injected, named_right.toFixed(4), append_steps, blamed, unclear, cached_error.toFixed(3)];
  });
  const head = ['family', 'injected', 'named right', 'append steps', 'blamed', 'unclear', 'cached error'];
  return `${table([head, ...rows])}\n\n${causesOf(measured)}\n\n${errorsOf(measured)}\n\n${wrongOf(measured)}\n`;
}

/** The mean error of what was injected. */
function errorsOf(measured: readonly Measured[]): string {
  const all = measured.flatMap(({ cases }) => cases).filter(({ isForeseeable }) => isForeseeable);
  const names = [
    ...new Set(all.map(({ injection, expected }) => `${injection ?? '–'} / ${expected?.cause ?? 'nothing'}`)),
  ];
  const rows = names.toSorted().map((name) => {
    const of = all.filter(
      ({ injection, expected }) => `${injection ?? '–'} / ${expected?.cause ?? 'nothing'}` === name,
    );
    return [name, of.length, mean(of.map(errorOf)).toFixed(3)];
  });
  return table([['injection / cause', 'steps', 'cached error'], ...rows]);
}

/** How often each cause was injected and named, over all families. */
function causesOf(measured: readonly Measured[]): string {
  const all = measured.flatMap(({ cases }) => cases).filter(isInjected);
  const causes = [...new Set(all.map(({ expected }) => expected?.cause ?? ''))].toSorted();
  const rows = causes.map((cause) => {
    const of = all.filter(({ expected }) => expected?.cause === cause);
    return [cause, of.length, of.filter(isRight).length];
  });
  return table([['cause', 'injected', 'named right'], ...rows]);
}

const mostWrong = 40;

function wrongOf(measured: readonly Measured[]): string {
  const all = measured.flatMap(({ cases }) => cases);
  const wrong = all.filter(
    (one) => (isInjected(one) && !isRight(one)) || (isAppend(one) && one.reading.cause !== null),
  );
  const unnamed = all.filter(({ expected, reread }) => expected === null && reread >= enough);
  return [...wrong, ...unnamed]
    .slice(0, mostWrong)
    .map(
      ({ family, injection, expected, reading, reread, predicted, cached, promptTokens, isStopped }) =>
        `${family}: ${injection ?? (isStopped ? 'stop' : '–')} is ${expected?.cause ?? 'nothing'}, named ${reading.cause ?? 'nothing'} (${reading.owner ?? '–'}); ${reread} read again, ${predicted} predicted and ${cached} found of ${promptTokens}, settled by ${reading.settledBy}`,
    )
    .join('\n');
}

function table(lines: readonly (readonly (string | number)[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => String(line[at]).length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
