/**
 * Figures as a person reads them: always with a unit, never 0 for what is unknown (ui rules, "Wording").
 * Gigabytes are binary, as GPU vendors count VRAM, so that the parts of one bar add up.
 */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const gibi = 1024 ** 3;
const mebi = 1024 ** 2;

/** 21480 → "21,480". */
export function count(value: number): string {
  return whole.format(value);
}

/** For estimates: 31090 → "31k", 1640 → "1,640". */
export function roughCount(value: number): string {
  return value >= 10_000 ? `${whole.format(value / 1000)}k` : count(value);
}

/** Bytes → "19.9 GB", "640 MB", "12 kB", "1 byte". */
export function bytes(value: number): string {
  if (value >= gibi) return `${gigabytes(value)} GB`;
  if (value >= mebi) return `${whole.format(value / mebi)} MB`;
  if (value >= 1024) return `${whole.format(value / 1024)} kB`;
  return plural(value, 'byte', 'bytes');
}

/** What is downloaded is counted as Ollama counts it, in powers of ten: "17.0 GB", "640 MB", "12 kB". */
export function downloadBytes(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  return value >= 1e6 ? `${whole.format(value / 1e6)} MB` : `${whole.format(value / 1e3)} kB`;
}

/** Bytes → "19.9": for rows that name the unit once. */
export function gigabytes(value: number): string {
  return (value / gibi).toFixed(1);
}

/** 0.66 → "66 %". */
export function percent(ratio: number): string {
  return `${whole.format(ratio * 100)} %`;
}

/** How long a tool or request took: "38 ms" is too fine to compare, so tenths: "0.1 s", "40.8 s", "4 min 13 s". */
export function tenths(ms: number): string {
  if (ms >= 60_000) return minutes(ms);
  return `${Math.max(ms > 0 ? 0.1 : 0, Math.round(ms / 100) / 10).toFixed(1)} s`;
}

/** How long a turn or a thought took: "6 s", "4 min 13 s"; what ended within the first second took "1 s". */
export function seconds(ms: number): string {
  return ms >= 60_000 ? minutes(ms) : `${Math.max(ms > 0 ? 1 : 0, Math.floor(ms / 1000))} s`;
}

/** A proof in milliseconds: "38 ms", "1.2 s". */
export function precise(ms: number): string {
  return ms < 1000 ? `${whole.format(ms)} ms` : tenths(ms);
}

/** A running clock: "0:14", "4:13", "1:02:09". */
export function clock(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const padded = `${String(m).padStart(h > 0 ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h > 0 ? `${h}:${padded}` : padded;
}

/** Tokens and the milliseconds they took → "34 tok/s"; null when it cannot be known. */
export function tokenRate(tokens: number | null, ms: number | null): string | null {
  if (tokens === null || ms === null || ms <= 0 || tokens <= 0) return null;
  const rate = (tokens * 1000) / ms;
  return `${rate < 10 ? rate.toFixed(1) : whole.format(rate)} tok/s`;
}

/** Billionths of a currency → "€1.05"; below a tenth of its unit with what is left of it: "€0.0042". */
export function money(nano: number, currency: string): string {
  const amount = nano / 1e9;
  const digits = amount > 0 && amount < 0.1 ? 4 : 2;
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
  const least = 10 ** -digits;
  return amount > 0 && amount < least ? `< ${format.format(least)}` : format.format(amount);
}

/** "1 file", "3 files". */
export function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

function minutes(ms: number): string {
  const total = Math.floor(ms / 1000);
  if (total >= 3600)
    return `${Math.floor(total / 3600)} h ${String(Math.floor(total / 60) % 60).padStart(2, '0')} min`;
  return `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, '0')} s`;
}
