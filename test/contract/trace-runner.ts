import { z } from 'zod';

import { reply } from '../../src/sim/index.ts';
import type { LoadPlan, NativeToken, Reply, Script } from '../../src/sim/index.ts';

/* What the stand-in runner of the records was told to do, as a script of the simulator. */

const token = z.union([z.string(), z.object({ t: z.string(), d: z.number().optional() })]);
const replyFields = z.object({
  prefill_ms: z.number().optional(),
  tokens: z.array(token).default([]),
  repeat: z.number().default(1),
  delay_ms: z.number().default(0),
  stop: z.enum(['eos', 'word', 'limit']).default('eos'),
  final_content: z.string().default(''),
  status: z.number().optional(),
  body: z.unknown().optional(),
  before: z.enum(['exit', 'kill', 'reset']).optional(),
  ending: z.enum(['eof', 'reset', 'exit', 'kill', 'sse_error', 'malformed', 'huge']).optional(),
  err_text: z.string().default(''),
  error_prefix: z.string().optional(),
  reasoning: z.array(token).default([]),
  calls: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        args: z.union([z.string(), z.record(z.string(), z.unknown())]),
      }),
    )
    .default([]),
  finish: z.string().optional(),
});

/** The records call the ending `then`, a name that only promises should have. */
const replySchema = z
  .record(z.string(), z.unknown())
  .transform((entry) =>
    Object.fromEntries(Object.entries(entry).map(([key, value]) => [key === 'then' ? 'ending' : key, value])),
  )
  .pipe(replyFields);

export const controlSchema = z.object({
  load: z
    .object({
      delay_ms: z.number().default(0),
      mode: z.enum(['full', 'partial', 'cpu', 'silent']).default('full'),
      crash: z.string().optional(),
      signal: z.string().optional(),
      exit_quietly: z.boolean().default(false),
    })
    .optional(),
  replies: z.array(replySchema).optional(),
});

export type Control = z.infer<typeof controlSchema>;
type RecordedReply = z.infer<typeof replySchema>;
type Token = z.infer<typeof token>;

const DEFAULT_REPLY = replySchema.parse({ tokens: ['Hello', ' there', '.'] });
/** Ollama's own time around a runner's start. */
const LOAD_OVERHEAD_MS = 150;
/** Share of the layers that the stand-in put on the device when told to load in part. */
const PARTIAL = 0.5;

/** Each request that reaches a runner takes its next reply; the last one repeats. */
export function scriptOf(control: Control, losesSlot: boolean, loadsOf: (model: string) => number): Script {
  const replies = control.replies?.length ? control.replies : [DEFAULT_REPLY];
  const usedBy = new Map<string, number>();
  return (request) => {
    const runner = `${request.model} ${loadsOf(request.model)}`;
    const used = (usedBy.get(runner) ?? 0) + 1;
    usedBy.set(runner, used);
    const recorded = replies[Math.min(used, replies.length) - 1] ?? DEFAULT_REPLY;
    const made = replyOf(recorded, request.model.startsWith('native'));
    return losesSlot && used === 1 ? made.loseSlot() : made;
  };
}

export function loadPlanOf({ load }: Control): LoadPlan {
  if (load === undefined) return {};
  const seconds = (load.delay_ms + LOAD_OVERHEAD_MS) / 1000;
  const offload = load.mode === 'partial' ? { offload: PARTIAL } : {};
  if (load.signal !== undefined) return { seconds, failure: { kind: 'killed' } };
  if (load.crash?.includes('out of memory')) return { seconds, failure: { kind: 'out-of-memory' } };
  if (load.crash !== undefined || load.exit_quietly) {
    return { seconds, failure: { kind: 'exit', text: load.crash ?? '' } };
  }
  return { seconds, ...offload };
}

const textOf = (entry: Token): string => (typeof entry === 'string' ? entry : entry.t);

function replyOf(recorded: RecordedReply, isNative: boolean): Reply {
  if (recorded.status !== undefined) return reply().error(recorded.status, JSON.stringify(recorded.body));
  const started = recorded.prefill_ms === undefined ? reply() : reply().prefill(recorded.prefill_ms / 1000);
  if (recorded.before === 'exit') return started.fault({ kind: 'exit', text: recorded.err_text });
  if (recorded.before === 'kill') return started.fault({ kind: 'kill' });
  if (recorded.before === 'reset') return started.fault({ kind: 'runner-reset' });
  const pause = (entry: Token) => (typeof entry === 'string' ? undefined : entry.d) ?? recorded.delay_ms;
  const tokens = Array.from({ length: recorded.repeat }, () => recorded.tokens).flat();
  const written = isNative
    ? started.native(
        ...recorded.reasoning.map(
          (entry) => ({ kind: 'reasoning', text: textOf(entry), pauseMs: pause(entry) }) as const,
        ),
        ...tokens.map((entry) => ({ kind: 'text', text: textOf(entry), pauseMs: pause(entry) }) as const),
        ...recorded.calls.flatMap((call, index) => callTokens(call, index, recorded.delay_ms)),
      )
    : started.raw(...tokens.map((entry) => ({ text: textOf(entry), pauseMs: pause(entry) })));
  return ended(written, recorded);
}

function callTokens(call: RecordedReply['calls'][number], index: number, pauseMs: number): NativeToken[] {
  const text = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
  const pieces = text.match(/[\s\S]{1,8}/g) ?? [''];
  return [
    { kind: 'call', index, id: call.id, name: call.name, pauseMs: 0 },
    ...pieces.map((piece): NativeToken => ({ kind: 'arguments', index, text: piece, pauseMs })),
  ];
}

function ended(written: Reply, recorded: RecordedReply): Reply {
  switch (recorded.ending) {
    case 'eof':
      return written.fault({ kind: 'runner-eof' });
    case 'reset':
      return written.fault({ kind: 'runner-reset' });
    case 'exit':
      return written.fault({ kind: 'exit', text: recorded.err_text });
    case 'kill':
      return written.fault({ kind: 'kill' });
    case 'sse_error': {
      const prefix = recorded.error_prefix === 'error: ' ? 'error' : 'data';
      return written.fault({ kind: 'runner-error', message: 'Context size has been exceeded.', prefix });
    }
    case 'malformed':
      return written.fault({ kind: 'runner-malformed' });
    case 'huge':
      return written.fault({ kind: 'runner-huge' });
    case undefined:
      return written.stop(recorded.finish === 'length' ? 'limit' : recorded.stop, recorded.final_content);
  }
}
