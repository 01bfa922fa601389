/**
 * How well Andiron predicts what a model takes, over loads whose sizes were written down by the runner
 * itself, Ollama's own formula beside it:
 *
 *   node test/bench/engine/fit.ts
 *
 * Each fixture says where it comes from: `measured` = a real Ollama loaded a model on a CPU, and its runner's log gives
 * the buffers; the files have the real shape of the model named and zeros for weights, so only sizes mean anything.
 * `published` = a log that somebody else published, with its link. None is computed. `held_out` fixtures, all published
 * ones among them, were not looked at while the formula was made; their errors are told apart.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  marginOf,
  partsOf,
  runnerKeepsFree,
  totalOf,
  verdictOf,
  type Parts,
} from '../../../src/engine/models/estimate.ts';
import { learnFrom, type MeasuredLoad } from '../../../src/engine/models/learnt.ts';
import { modelNumbersSchema } from '../../../src/engine/models/numbers.ts';
import { ollamaPrediction } from '../../../src/engine/models/ollama-prediction.ts';

const mib = 1024 ** 2;

const sourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), weights: z.string() }),
  z.object({ kind: z.literal('published'), link: z.url(), note: z.string() }),
]);

const fixtureSchema = z.object({
  model: z.string(),
  contextTokens: z.number().int().positive(),
  batch: z.number().int().positive(),
  cacheType: z.enum(['f16', 'q8_0', 'q4_0']),
  parallel: z.number().int().positive(),
  /** 0 = everything in main memory. With GPUs only what is on them is counted. */
  gpus: z.number().int().nonnegative(),
  set: z.enum(['tuned', 'held_out']),
  /** As the runner's log says. Cache: keys, values and states. Buffers: of the graph and of its output. */
  measuredMib: z.object({ weights: z.number(), cache: z.number(), buffers: z.number() }),
  /** `size` of `/api/ps`, where it was asked. */
  reportedBytes: z.number().optional(),
  source: sourceSchema,
});
export type FitFixture = z.infer<typeof fixtureSchema>;

const fileSchema = z.object({
  /** By name. `fileBytes` as `/api/tags` lists them. */
  models: z.record(z.string(), z.object({ fileBytes: z.number(), numbers: modelNumbersSchema })),
  fixtures: z.array(fixtureSchema),
});
export type FitFixtures = z.infer<typeof fileSchema>;

export interface FitRow {
  fixture: FitFixture;
  measuredBytes: number;
  parts: Parts;
  /** (predicted − measured) ÷ measured, of the total. */
  error: number;
  /** Of Ollama's own formula; null = it does not know. */
  ollamaError: number | null;
  /** After the other loads of the model on the same server, as `/api/ps` told of them; null = there is no other. */
  learntError: number | null;
  /** Said to fit where a hundredth less than what it took is free. */
  falselyFits: boolean;
}

export interface FitResult {
  rows: FitRow[];
  figures: Record<string, number>;
  passed: boolean;
}

export function readFixtures(): FitFixtures {
  const path = fileURLToPath(new URL('fit-fixtures.json', import.meta.url));
  return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

export function measureFit({ models, fixtures }: FitFixtures): FitResult {
  const rows = fixtures.map((fixture) => {
    const model = models[fixture.model];
    if (!model) throw new Error(`${fixture.model} is not among the models.`);
    return rowOf(fixture, model, fixtures);
  });
  const architectures = new Set(fixtures.map(({ model }) => models[model]?.numbers.architecture));
  const figures = { ...figuresOf(rows), fit_architectures: architectures.size };
  const passed =
    figures.fit_fixtures >= 40 &&
    figures.fit_median <= 0.08 &&
    figures.fit_p95 <= 0.2 &&
    figures.fit_falsely_fits === 0;
  return { rows, figures, passed };
}

type Model = FitFixtures['models'][string];

function rowOf(fixture: FitFixture, model: Model, fixtures: readonly FitFixture[]): FitRow {
  const { fileBytes, numbers } = model;
  const place = { gpus: fixture.gpus };
  const parts = partsOf(numbers, fileBytes, fixture, place);
  const { weights, cache, buffers } = fixture.measuredMib;
  const measuredBytes = (weights + cache + buffers) * mib;
  const predicted = totalOf(parts);
  const learnt = learntParts(fixture, model, fixtures);
  const errorOf = (bytes: number): number => (bytes - measuredBytes) / measuredBytes;
  const ollama = ollamaPrediction(numbers, fileBytes, fixture.contextTokens * fixture.parallel);
  const verdict = verdictOf(predicted, marginOf(parts.basis, parts.known), place, {
    freeBytes: measuredBytes * 0.99 + runnerKeepsFree,
    spillBytes: null,
  });
  return {
    fixture,
    measuredBytes,
    parts,
    error: errorOf(predicted),
    ollamaError: ollama === null ? null : errorOf(ollama),
    learntError: learnt && errorOf(totalOf(learnt)),
    falselyFits: verdict === 'fits',
  };
}

/** As the product learns: the cache type is not told to it. */
function learntParts(fixture: FitFixture, model: Model, fixtures: readonly FitFixture[]): Parts | null {
  const loads = fixtures.flatMap((other): MeasuredLoad[] => {
    const isOther =
      other !== fixture && other.model === fixture.model && other.cacheType === fixture.cacheType;
    const { contextTokens, batch, reportedBytes, gpus } = other;
    return isOther && other.parallel === 1 && reportedBytes !== undefined
      ? [{ contextTokens, batch, bytes: reportedBytes, onGpu: gpus > 0 }]
      : [];
  });
  if (loads.length === 0) return null;
  const { parts } = learnFrom(loads, fixture, (load, cacheType) =>
    partsOf(model.numbers, model.fileBytes, { ...load, cacheType, parallel: 1 }, { gpus: fixture.gpus }),
  );
  return parts;
}

function figuresOf(rows: readonly FitRow[]) {
  const held = rows.filter(({ fixture }) => fixture.set === 'held_out');
  const published = rows.filter(({ fixture }) => fixture.source.kind === 'published');
  const ollama = rows.flatMap(({ ollamaError }) => (ollamaError === null ? [] : [ollamaError]));
  const learnt = rows.flatMap(({ learntError }) => (learntError === null ? [] : [learntError]));
  const errorsOf = (some: readonly FitRow[]): number[] => some.map(({ error }) => error);
  return {
    fit_median: quantile(errorsOf(rows), 0.5),
    fit_p95: quantile(errorsOf(rows), 0.95),
    fit_worst: quantile(errorsOf(rows), 1),
    fit_held_out_median: quantile(errorsOf(held), 0.5),
    fit_held_out_p95: quantile(errorsOf(held), 0.95),
    fit_learnt_median: quantile(learnt, 0.5),
    fit_learnt_p95: quantile(learnt, 0.95),
    fit_ollama_median: quantile(ollama, 0.5),
    fit_ollama_p95: quantile(ollama, 0.95),
    fit_fixtures: rows.length,
    fit_measured: rows.length - published.length,
    fit_published: published.length,
    fit_published_share: published.length / rows.length,
    fit_held_out: held.length,
    fit_falsely_fits: rows.filter(({ falselyFits }) => falselyFits).length,
  };
}

/** Of the sizes of the errors, by nearest rank. */
function quantile(errors: readonly number[], share: number): number {
  const sorted = errors.map(Math.abs).toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function fitTable(rows: readonly FitRow[]): string {
  const head = 'model, window, batch, cache, GPUs'.padEnd(48);
  const lines = rows.map(({ fixture, measuredBytes, parts, error, ollamaError }) => {
    const { model, contextTokens, parallel, batch, cacheType, gpus, measuredMib, set, source } = fixture;
    const windows = parallel === 1 ? String(contextTokens) : `${String(contextTokens)} x ${String(parallel)}`;
    const what = `${model}, ${windows}, ${String(batch)}, ${cacheType}, ${String(gpus)}`.padEnd(48);
    const pair = (bytes: number, measured: number): string =>
      `${(bytes / mib).toFixed(0)}/${measured.toFixed(0)}`.padStart(14);
    return [
      what,
      pair(parts.weightsBytes, measuredMib.weights),
      pair(parts.cacheBytes, measuredMib.cache),
      pair(parts.bufferBytes, measuredMib.buffers),
      (measuredBytes / mib).toFixed(0).padStart(8),
      percent(error).padStart(8),
      (ollamaError === null ? '?' : percent(ollamaError)).padStart(8),
      ` ${set === 'held_out' ? 'held out' : 'tuned'}, ${source.kind === 'published' ? source.link : 'measured'}`,
    ].join('');
  });
  const columns = ['weights', 'cache', 'buffers'].map((each) => each.padStart(14)).join('');
  return [`${head}${columns}${'MiB'.padStart(8)}${'ours'.padStart(8)}${'Ollama'.padStart(8)}`, ...lines].join(
    '\n',
  );
}

function percent(share: number): string {
  return `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)}%`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { rows, figures, passed } = measureFit(readFixtures());
  console.log(fitTable(rows));
  console.log(JSON.stringify({ bench: 'fit', figures, passed }, null, 2));
  process.exitCode = passed ? 0 : 1;
}
