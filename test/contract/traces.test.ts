import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import type { SimModelOptions } from '../../src/sim/index.ts';
import { readTrace, traceNames, type ExchangeStep } from './trace-file.ts';
import { QWEN35 } from './trace-models.ts';
import { replay, type ReplayOptions } from './trace-replay.ts';

const folder =
  process.env['ENGINE_TRUTH'] ?? fileURLToPath(new URL('../../../shared/engine-truth', import.meta.url));
const traces = `${folder}/traces`;

/** Traces of what the simulator does not have, each with the reason. Everything else is replayed. */
const NOT_REPLAYED: Record<string, string> = {
  'cancel-chunked-body-2': 'its requests are not in the record; src/sim/http/exchange.test.ts has them',
  embed: 'embeddings are not simulated yet',
  latencies: 'measured values, not an exchange',
  'qcoder-long-call': 'qwen3-coder is not simulated yet',
  'qcoder-text-and-calls': 'qwen3-coder is not simulated yet',
  'qcoder-unparseable': 'qwen3-coder is not simulated yet',
  'reload-shared-blob': 'its tags are made by create and copy, which are not simulated yet',
  'show-native-verbose': 'shows the vocabulary of one real model',
  'slot-lost-rates': 'measured values, not an exchange',
};

const REPLAYED = new Set(
  `cancel-at-headers cancel-at-once cancel-body-longer cancel-chunked-body
   cancel-generating-native cancel-generating-rendered cancel-in-call cancel-loading cancel-loading-second-leaves
   cancel-loading-second-waiter cancel-prefill-native cancel-prefill-rendered cancel-preload
   cancel-stream-false-native cancel-stream-false-rendered create-copy-delete
   error-eof-empty-native error-eof-empty-rendered error-eof-native error-eof-rendered
   error-exit-in-prefill-native error-exit-in-prefill-rendered error-exit-in-prefill-text-native
   error-exit-in-prefill-text-rendered error-exit-mid-native error-exit-mid-rendered error-exit-mid-text-native
   error-exit-mid-text-rendered error-http400-native error-http400-rendered error-http500-native
   error-http500-rendered error-huge-native error-huge-rendered error-kill-mid-native error-kill-mid-rendered
   error-load-crash-quiet error-load-crash-text error-load-killed error-load-oom error-malformed-native
   error-malformed-rendered error-oom-mid-native error-oom-mid-rendered error-repeat-30-native
   error-repeat-30-rendered error-repeat-native error-repeat-rendered error-reset-in-prefill-native
   error-reset-in-prefill-rendered error-reset-mid-native error-reset-mid-rendered error-sse-error-first-native
   error-sse-error-first-rendered error-sse-error-native error-sse-error-prefix-native
   error-sse-error-prefix-rendered error-sse-error-rendered error-whitespace-native error-whitespace-rendered
   errors-requests evict-busy evict-busy-starved evict-cancel-waiting evict-idle
   gem4-call-cut-by-length gem4-call-unparseable gem4-text-call gem4-think-call gem4-think-text generate-forms
   gotpl-call gotpl-call-unknown-tool gotpl-call-unparseable gotpl-logprobs-call gotpl-think-call gotpl-think-text
   half-close hosts keep-alive-forms load-by-generate-and-chat
   native-call native-call-bad-args native-call-cut-by-length native-empty native-format native-history
   native-length native-logprobs native-text native-think-text origins
   oss-call-cut-by-length oss-call-unparseable oss-think-call oss-think-false oss-think-text oss-tool-names
   oss-two-calls overflow-native-shift-false overflow-native-shift-true overflow-rendered-shift-false
   overflow-rendered-shift-true parallel-one-slot parallel-order ps-partial-and-cpu ps-states pull-no-network
   q35-call-cut-by-length q35-call-no-tools q35-call-unclosed-eos q35-call-unknown-tool q35-call-unparseable
   q35-debug-render q35-empty q35-escapes q35-final-content q35-format q35-length q35-logprobs-call
   q35-logprobs-top q35-stop-string q35-text q35-text-and-call q35-think-call q35-think-levels q35-think-only
   q35-think-text q35-think-unclosed q35-two-calls queue-cancel queue-full raw-framing
   reload-busy-starved reload-draft reload-mmap-maingpu reload-none reload-num-batch reload-num-ctx reload-num-gpu
   reload-num-thread reload-shift show-errors show-native show-renderer show-template
   slot-lost slot-lost-reload tags unload-busy unload-idle unload-two-loaded unload-while-loading
   version-and-liveness`.split(/\s+/),
);

const SYSTEM = { role: 'system', content: `SYS ${'s'.repeat(76)}` };
const MANY = Array.from({ length: 10 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `m${index} ${'x'.repeat(297)}`,
}));
const LONG = [SYSTEM, ...MANY, { role: 'user', content: 'last question' }];
const HUGE = [
  { role: 'system', content: 'SYS' },
  { role: 'user', content: 'first' },
  { role: 'assistant', content: 'ok' },
  { role: 'user', content: `BEGIN ${'y'.repeat(4000)} END` },
];

/** The overflow traces describe their bodies instead of showing them. */
function overflowBody(model: string, shift: boolean): (step: ExchangeStep) => unknown {
  const base = { model, options: { num_ctx: 512 }, shift, ...(model === 'q35' ? { think: false } : {}) };
  return ({ label = '' }) => {
    const truncate = label.endsWith('truncate true');
    if (label.startsWith('12 messages')) return { ...base, messages: LONG, truncate };
    if (label.startsWith('one message')) return { ...base, messages: HUGE, truncate };
    if (label.startsWith('the same')) return { ...base, messages: HUGE, truncate: false, stream: false };
    return { ...base, prompt: 'P'.repeat(4000), raw: true, truncate };
  };
}

/** The stand-in wrote two tokens although one was asked for. */
function withoutLimit({ body }: ExchangeStep): unknown {
  if (typeof body !== 'object' || body === null || !('options' in body)) return body;
  return { ...body, options: {} };
}

/** As the recorded `create` made it, which is not simulated: on the file of q35. */
const made: Omit<SimModelOptions, 'name'> = {
  ...QWEN35,
  system: 'Be kind.',
  parameters: { num_ctx: 8192, stop: ['x'] },
};

const SPECIAL: Record<string, ReplayOptions> = {
  'cancel-at-once': {
    ignoresRunner: true,
    unloadBefore: (step) => step.kind === 'note' && step.note === 'now not loaded',
  },
  'cancel-body-longer': { sendBody: { newline: 'newline', '4096 spaces': 'spaces' } },
  'cancel-chunked-body': {
    sendBody: {
      'chunked, end of the body 100 ms after the body': 'split',
      'chunked, end of the body never sent': 'unfinished',
    },
  },
  'create-copy-delete': {
    moreModels: [
      { ...made, name: 'q35-8k' },
      { ...made, name: 'q35-copy' },
    ],
  },
  // Taken 2 ms after the error, while that unload was still on its way; the rendered twin has it done.
  'error-oom-mid-native': { mayDiffer: (step) => step.label === 'after' },
  'generate-forms': { bodyOf: withoutLimit },
  'overflow-native-shift-false': { bodyOf: overflowBody('native', false) },
  'overflow-native-shift-true': { bodyOf: overflowBody('native', true) },
  'overflow-rendered-shift-false': { bodyOf: overflowBody('q35', false) },
  'overflow-rendered-shift-true': { bodyOf: overflowBody('q35', true) },
  'q35-debug-render': { loadedBefore: ['q35:latest'] },
  'ps-partial-and-cpu': { unloadBefore: (step) => step.kind === 'script' },
  'slot-lost': { losesSlot: true },
  'slot-lost-reload': { losesSlot: true },
};

const names = existsSync(traces) ? await traceNames(traces) : [];
if (names.length === 0) {
  process.stdout.write('traces: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');
}

describe.skipIf(names.length === 0)('the simulator answers as the recorded Ollama did', () => {
  test('every trace is either replayed or has a reason why not', () => {
    const unknown = names.filter((name) => !REPLAYED.has(name) && NOT_REPLAYED[name] === undefined);
    const gone = [...REPLAYED, ...Object.keys(NOT_REPLAYED)].filter((name) => !names.includes(name));
    expect({ unknown, gone }).toEqual({ unknown: [], gone: [] });
  });

  test.concurrent.each(names.filter((name) => REPLAYED.has(name)))('%s', async (name) => {
    const differences = await replay(await readTrace(traces, name), SPECIAL[name]);
    expect(differences.join('\n')).toBe('');
  });
});
