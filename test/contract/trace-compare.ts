import { z } from 'zod';

import type { Truth } from '../../src/sim/index.ts';
import type { ExchangeStep } from './trace-file.ts';

/* What must be equal between a recorded answer and a replayed one, and what may not be. */

export interface Observed {
  status: number | undefined;
  contentType: string | undefined;
  text: string;
  end: string;
}

/** Differences in words; empty = equal but for what is masked. */
export function compareExchange(step: ExchangeStep, observed: Observed): string[] {
  const expected = recordedText(step);
  const comparable = linesOf(observed.text).slice(
    0,
    step.end === 'complete' ? undefined : linesOf(expected).length,
  );
  return [
    ...differ('status', step.status, observed.status),
    ...differ('content type', step.response_headers?.['content-type'], observed.contentType),
    ...differ('end', step.end, observed.end),
    ...differ(
      'body',
      maskBody(step, expected),
      maskBody(step, step.end === 'complete' ? observed.text : comparable.join('')),
    ),
  ];
}

/** A whole answer as bytes: status line, headers in their order, body with its framing. */
export function compareRaw(expected: string, received: string): string[] {
  return differ('bytes', maskBytes(expected), maskBytes(received));
}

/** The size of a chunk goes with the length of what is masked in it. */
function maskBytes(text: string): string {
  return maskText(text)
    .replaceAll(/Date: [^\r]*/g, 'Date: …')
    .replaceAll(/\r\n[0-9a-f]+\r\n(?=\{)/g, '\r\n(size)\r\n');
}

function differ(what: string, expected: unknown, observed: unknown): string[] {
  if (expected === observed) return [];
  return [`${what}\n      recorded ${JSON.stringify(expected)}\n      replayed ${JSON.stringify(observed)}`];
}

function maskBody(step: ExchangeStep, text: string): string {
  if (step.method === 'HEAD') return '';
  if (step.path === '/api/ps' && step.status === 200) return describePs(text);
  if (step.path === '/api/tags' && step.status === 200) return describeTags(text);
  if (step.path === '/api/show' && step.status === 200) return describeShow(text, recordedText(step));
  const masked = isNative(step) ? maskTokenCounts(maskText(text)) : maskText(text);
  return hasTools(step)
    ? masked.replace(/"rendered_template":"(?:[^"\\]|\\.)*/, '"rendered_template":"…')
    : masked;
}

/** Times, durations, ports, ids that are made by chance, and counts that depend on the vocabulary. */
function maskText(text: string): string {
  return text
    .replaceAll(/"created_at":"2[^"]*Z"/g, '"created_at":"…"')
    .replaceAll(/"(\w+_duration)":\d+/g, '"$1":0')
    .replaceAll(/"id":"call_[a-z0-9]{8}"/g, '"id":"call_…"')
    .replaceAll(/"prompt_eval_count":\d+/g, '"prompt_eval_count":0')
    .replaceAll(/"context":\[\d+(?:,\d+)*\]/g, '"context":[…]')
    .replaceAll(/ on (?:<dns>|[\d.]+:53:) no such host/g, ' on <dns> no such host')
    .replaceAll(/127\.0\.0\.1:(?:<port>|\d+)/g, '127.0.0.1:<port>');
}

/** How many tokens a native prompt has depends on the template, which was the stand-in's own. */
function maskTokenCounts(text: string): string {
  return text
    .replaceAll(/request \(\d+ tokens\)/g, 'request (N tokens)')
    .replaceAll(/n_prompt_tokens\\":\d+/g, 'n_prompt_tokens\\":N');
}

function isNative(step: ExchangeStep): boolean {
  const text = JSON.stringify(step.body) ?? '';
  return text.includes('"native"') || text.includes('as before');
}

function hasTools(step: ExchangeStep): boolean {
  return typeof step.body === 'object' && step.body !== null && 'tools' in step.body;
}

const psSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), size: z.number(), size_vram: z.number(), context_length: z.number() }),
  ),
});

/** Models that only an unsimulated endpoint loads are not compared. */
const LOADED_ELSEWHERE = new Set(['embedonly:latest']);

function describePs(text: string): string {
  const value: unknown = JSON.parse(text);
  return psSchema
    .parse(value)
    .models.map(({ name, size, size_vram: vram, context_length: window }, index) => {
      const where = vram === 0 ? 'CPU' : vram === size ? 'GPU' : 'both';
      return { name, line: `${name} on ${where}, window ${window}, keys ${keysOfModel(value, index)}` };
    })
    .filter(({ name }) => !LOADED_ELSEWHERE.has(name))
    .map(({ line }) => line)
    .toSorted()
    .join('\n');
}

const tagsSchema = z.object({
  models: z.array(z.object({ name: z.string(), capabilities: z.array(z.string()) })),
});

function describeTags(text: string): string {
  const value: unknown = JSON.parse(text);
  return tagsSchema
    .parse(value)
    .models.map(
      (model, index) => `${model.name} ${model.capabilities.join(' ')}, keys ${keysOfModel(value, index)}`,
    )
    .toSorted()
    .join('\n');
}

const showSchema = z.object({
  details: z.object({}),
  capabilities: z.array(z.string()),
  parameters: z.string().default(''),
});

/** Keys in their order, and what does not depend on one model's file. Long records are cut, and not compared. */
function describeShow(text: string, recorded: string): string {
  if (recorded.includes('…[cut')) return '(cut in the record)';
  const value: unknown = JSON.parse(text);
  const { capabilities, parameters } = showSchema.parse(value);
  return [keysOf(value), capabilities.toSorted().join(' '), ...parameters.split('\n').toSorted()].join('\n');
}

/** Keys of an object in their order, those of its details with them. */
function keysOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => (key === 'details' ? `details(${keysOf(inner)})` : key))
    .join(' ');
}

function keysOfModel(body: unknown, index: number): string {
  return keysOf(Reflect.get(Object(Reflect.get(Object(body), 'models')), index));
}

function recordedText(step: ExchangeStep): string {
  return (step.chunks ?? []).map((entry) => (typeof entry === 'string' ? entry : entry[1])).join('');
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

/** What the recorded runner saw. */
export interface RunnerEvent {
  ev?: string | undefined;
  phase?: string | undefined;
}

/** Whether as many runners were started, and as many completions closed in each phase, as in the record. */
export function compareRunner(recorded: readonly RunnerEvent[], truth: Truth, loadsBefore: number): string[] {
  const count = (phase: string) =>
    recorded.filter((event) => event.ev === 'peer_closed' && event.phase === phase).length;
  const closed = truth.requests.filter((request) => request.droppedAt !== undefined);
  const generating = closed.filter((request) => request.generated > 0).length;
  const starts = recorded.filter((event) => event.ev === 'start').length;
  return [
    ...differ('runners started', starts, truth.loads.length - loadsBefore),
    ...differ('closed while generating', count('generating'), generating),
    ...differ('closed in prefill', count('prefill'), closed.length - generating),
  ];
}
