/**
 * Figures as a person reads them: always with a unit, never 0 for what is unknown (ui rules, "Wording").
 * Gigabytes are binary, as GPU vendors count VRAM, so that the parts of one bar add up.
 */
import { numberReader } from './typed-number.ts';

const gibi = 1024 ** 3;
const mebi = 1024 ** 2;

/** The examples are English ones: signs, groups and plurals are those of the locale. */
export interface Figures {
  /** 21480 → "21,480". */
  count: (value: number) => string;
  /** With all its decimals, as a field shows it: 0.7 → "0.7", 32768 → "32,768". */
  number: (value: number) => string;
  /** What `number` wrote, and other ways to type it → the number; null = none, or one that could be two. */
  parseNumber: (typed: string) => number | null;
  /** For estimates: 31090 → "31k", 1640 → "1,640". */
  roughCount: (value: number) => string;
  /** Bytes → "19.9 GB", "640 MB", "12 kB", "1 byte". */
  bytes: (value: number) => string;
  /** What is downloaded is counted as Ollama counts it, in powers of ten: "17.0 GB", "640 MB", "12 kB". */
  downloadBytes: (value: number) => string;
  /** Bytes → "19.9": for rows that name the unit once. */
  gigabytes: (value: number) => string;
  /** 0.66 → "66 %". */
  percent: (ratio: number) => string;
  /** How long a tool or request took: "38 ms" is too fine to compare, so tenths: "0.1 s", "40.8 s", "4 min 13 s". */
  tenths: (ms: number) => string;
  /** How long a turn or a thought took: "6 s", "4 min 13 s"; what ended within the first second took "1 s". */
  seconds: (ms: number) => string;
  /** A proof in milliseconds: "38 ms", "1.2 s". */
  precise: (ms: number) => string;
  /** A running clock: "0:14", "4:13", "1:02:09". */
  clock: (ms: number) => string;
  /** Tokens and the milliseconds they took → "34 tok/s"; null when it cannot be known. */
  tokenRate: (tokens: number | null, ms: number | null) => string | null;
  /** Billionths of a currency → "€1.05"; below a tenth of its unit with what is left of it: "€0.0042". */
  money: (nano: number, currency: string) => string;
  /** "1 file", "3 files". */
  plural: (value: number, one: string, many: string) => string;
}

/** What a machine knows of a language takes milliseconds to load, and the first picture of a window shows no figure. */
function later<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** @param locale a BCP 47 tag that decides signs, groups of digits and which counts are singular. */
export function figuresFor(locale: string): Figures {
  const whole = later(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  // More decimals would show how a computer rounds.
  const exact = later(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 15 }));
  const read = later(() => numberReader(locale));
  const oneDigit = later(
    () =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        useGrouping: false,
      }),
  );
  const inBytes = later(
    () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
  );
  const forms = later(() => new Intl.PluralRules(locale));

  const count = (value: number): string => whole().format(value);
  const byteWord = (value: number): string =>
    inBytes()
      .formatToParts(value)
      .find(({ type }) => type === 'unit')?.value ?? 'B';
  const gigabytes = (value: number): string => oneDigit().format(value / gibi);
  const tenths = (ms: number): string =>
    ms >= 60_000
      ? minutes(ms)
      : `${oneDigit().format(Math.max(ms > 0 ? 0.1 : 0, Math.round(ms / 100) / 10))} s`;

  return {
    count,
    number: (value) => exact().format(value),
    parseNumber: (typed) => read()(typed),
    gigabytes,
    tenths,
    roughCount: (value) => (value >= 10_000 ? `${whole().format(value / 1000)}k` : count(value)),
    bytes(value) {
      if (value >= gibi) return `${gigabytes(value)} GB`;
      if (value >= mebi) return `${whole().format(value / mebi)} MB`;
      return value >= 1024 ? `${whole().format(value / 1024)} kB` : `${count(value)} ${byteWord(value)}`;
    },
    downloadBytes(value) {
      if (value >= 1e9) return `${oneDigit().format(value / 1e9)} GB`;
      return value >= 1e6 ? `${whole().format(value / 1e6)} MB` : `${whole().format(value / 1e3)} kB`;
    },
    percent: (ratio) => `${whole().format(ratio * 100)} %`,
    seconds: (ms) => (ms >= 60_000 ? minutes(ms) : `${Math.max(ms > 0 ? 1 : 0, Math.floor(ms / 1000))} s`),
    precise: (ms) => (ms < 1000 ? `${whole().format(ms)} ms` : tenths(ms)),
    clock,
    tokenRate(tokens, ms) {
      if (tokens === null || ms === null || ms <= 0 || tokens <= 0) return null;
      const rate = (tokens * 1000) / ms;
      return `${rate < 10 ? oneDigit().format(rate) : whole().format(rate)} tok/s`;
    },
    money: (nano, currency) => money(locale, nano / 1e9, currency),
    plural: (value, one, many) => `${count(value)} ${forms().select(value) === 'one' ? one : many}`,
  };
}

function money(locale: string, amount: number, currency: string): string {
  const digits = amount > 0 && amount < 0.1 ? 4 : 2;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
  const least = 10 ** -digits;
  return amount > 0 && amount < least ? `< ${format.format(least)}` : format.format(amount);
}

function clock(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const padded = `${String(m).padStart(h > 0 ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h > 0 ? `${h}:${padded}` : padded;
}

function minutes(ms: number): string {
  const total = Math.floor(ms / 1000);
  if (total >= 3600)
    return `${Math.floor(total / 3600)} h ${String(Math.floor(total / 60) % 60).padStart(2, '0')} min`;
  return `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, '0')} s`;
}
