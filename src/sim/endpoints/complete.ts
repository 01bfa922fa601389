import type { AnswerParts } from '../engine.ts';
import type { SimModel } from '../models.ts';
import { parserFor, PlainParser, type ReplyParser } from '../parsers/index.ts';
import type { ThinkingState, Tool } from '../render/index.ts';
import { compileReply } from '../runner/compile.ts';
import type { Plan } from '../runner/reply-plan.ts';
import type { LoadedModel } from '../scheduler/loaded-model.ts';
import { asksForOpening, openingOf } from '../script/scripted-acts.ts';
import { reply, type WrittenReply } from '../script/reply.ts';
import type { ScriptRequest } from '../script/script.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { nativeCallId, type LineWriter } from '../wire/lines.ts';
import type { Outcome } from '../wire/outcome.ts';
import type { RunRequest } from '../wire/requests.ts';
import type { Acquired } from './acquire.ts';
import { formatProblem } from './format-problem.ts';
import { cutToFit, tokensOf, type ReadyPrompt } from './prompt.ts';
import { Relay, type RelayAnswer } from './relay.ts';

export interface CompletionAnswer extends RelayAnswer {
  /** Each byte of a line in a piece of its own. */
  splitsBytes: boolean;
}

/** Everything a completion needs beyond the loaded model. */
export interface Completion {
  engine: AnswerParts;
  exchange: CompletionAnswer;
  record: TruthRequest;
  endpoint: 'chat' | 'generate';
  model: SimModel;
  request: RunRequest;
  acquired: Acquired;
  prompt: ReadyPrompt;
  tools: readonly Tool[];
  /** Raw text is not parsed. */
  raw: boolean;
  write: LineWriter;
  ask: Omit<ScriptRequest, 'nth'>;
  startedAt: number;
}

const NO_LIMIT_FACTOR = 10;
/** Said where no script has an answer, so that a forgotten rule shows. */
const UNSCRIPTED = 'The simulated model has no script for this request.';

/** Waits for a slot, lets the runner generate and relays the reply. The answer has ended when it resolves. */
export async function complete(work: Completion): Promise<void> {
  const { engine, exchange, record, model, request, acquired } = work;
  const { loaded } = acquired.lease;
  const problem = formatProblem({
    format: request.format,
    model,
    raw: work.raw,
    hasTools: work.tools.length > 0,
  });
  if (problem === 'stuck') return untilClosed(work);
  const tokens = problem ?? fitTokens(work, loaded);
  if (!tokens.ok) {
    engine.truth.finish(record, 'refused');
    if (request.stream) exchange.streamedError(tokens.status, tokens.error);
    else exchange.json(tokens.status, { error: tokens.error });
    return;
  }
  const relay = new Relay({
    engine,
    exchange,
    record,
    endpoint: work.endpoint,
    model: request.model,
    stream: request.stream,
    isNative: model.path === 'native' && !work.raw,
    parser: parserOf(work),
    write: work.write,
    keepsCalls: work.tools.length > 0,
    logprobs: request.logprobs ? request.topLogprobs : undefined,
    startedAt: work.startedAt,
    loadMs: acquired.loadMs,
    format: work.raw ? undefined : request.format,
    ...(work.endpoint === 'generate' && !work.raw
      ? {
          context: (text: string) =>
            engine.vocabulary.idsOf([...work.prompt.tokens, ...tokensOf(model, text)]),
        }
      : {}),
  });
  const run = async (plan: Plan, prompt: readonly string[], untilContent = false) => {
    const connection = new AbortController();
    const events = loaded.runner.start({
      prompt,
      userStarts: work.prompt.userStarts,
      plan,
      limit: predictLimit(acquired.options.num_predict, loaded.launch.numCtx),
      signal: AbortSignal.any([exchange.closed, connection.signal]),
      record,
    });
    const thinking = await relay.run(events, untilContent);
    // A reply that is given up must not go on being written.
    connection.abort();
    return thinking;
  };
  await inSlot(work, loaded, async (chosen, plan) => {
    const isTwoPass = formatsInTwoPasses(work);
    if (hasFormat(request) && !isTwoPass && chosen.hasCalls) {
      engine.truth.violation(record, 'the scripted reply has a call, which format does not allow');
    }
    const thinking = await run(plan, tokens.value, isTwoPass);
    if (thinking === undefined) return;
    const second = chosen.hasRawTokens ? chooseReply(engine, work.ask) : chosen.withoutThinking();
    const thought = tokensOf(model, beforeContent(model, thinking, work.prompt.thinking));
    await run(compile(work, second, 'closed'), [...tokens.value, ...thought]);
  });
}

/** The runner reads the grammar for ever: nothing comes, and only the client can end it. */
async function untilClosed({ engine, exchange, record }: Completion): Promise<void> {
  const { closed } = exchange;
  if (!closed.aborted) {
    await new Promise((resolve) => closed.addEventListener('abort', resolve, { once: true }));
  }
  exchange.abandon();
  engine.truth.finish(record, 'closed');
}

/**
 * The older dialect lets a thinking model think without the grammar, breaks off at the first content and
 * asks the runner once more, with the thinking in the prompt and the grammar on.
 */
function formatsInTwoPasses({ engine, model, request, prompt, raw }: Completion): boolean {
  const thinks = model.capabilities.includes('thinking') && prompt.thinking !== 'closed';
  return engine.dialect === '0.33.2' && hasFormat(request) && thinks && model.path !== 'native' && !raw;
}

const hasFormat = ({ format }: RunRequest): boolean => format !== undefined && format !== '';

/** What the model has written when its answer begins: the thinking and all marks around it. */
function beforeContent(model: SimModel, thinking: string, state: ThinkingState): string {
  const text = '.';
  return model.family.writeReply({ thinking, text }, state).slice(0, -text.length);
}

/** Runs `generate` once it has one of the model's slots; gives the slot back unless the script loses it. */
async function inSlot(
  work: Completion,
  loaded: LoadedModel,
  generate: (chosen: WrittenReply, plan: Plan) => Promise<void>,
): Promise<void> {
  const { engine, exchange, record } = work;
  engine.truth.enter(record, 'waiting');
  engine.truth.emit('slot-waiting', { request: record });
  if (!(await loaded.slots.acquire(exchange.closed))) {
    exchange.abandon();
    return engine.truth.finish(record, 'closed');
  }
  const chosen = chooseReply(engine, work.ask);
  const plan = compile(work, chosen);
  exchange.splitsBytes = plan.splitsBytes;
  try {
    await generate(chosen, plan);
  } finally {
    if (plan.deletesModel) engine.store.remove(work.model);
    const closedWhileWriting = exchange.closed.aborted && record.generated > 0 && work.request.stream;
    const loses = closedWhileWriting && (engine.takesSlot() || plan.losesSlot);
    if (loses) engine.truth.emit('slot-lost', { request: record });
    else loaded.slots.release();
  }
}

function compile(work: Completion, chosen: WrittenReply, thinking = work.prompt.thinking): Plan {
  const { engine, model, request } = work;
  return compileReply(chosen, {
    family: model.family,
    path: work.raw ? 'rendered' : model.path,
    thinking: work.raw ? 'closed' : thinking,
    format: request.format,
    tokenise: (text) => tokensOf(model, text),
    newCallId: () => nativeCallId(engine.random, model.family.callIdLength),
  });
}

function chooseReply(engine: AnswerParts, ask: Omit<ScriptRequest, 'nth'>): WrittenReply {
  const { script } = engine;
  const nth = script.asked[ask.endpoint] + 1;
  const { ahead } = script.current;
  if (ahead && asksForOpening(ask)) return openingOf(ahead({ ...ask, nth }));
  script.asked[ask.endpoint] = nth;
  return script.current({ ...ask, nth }) ?? reply().text(UNSCRIPTED);
}

function parserOf(work: Completion): ReplyParser {
  if (work.raw) return new PlainParser();
  const thinks = work.model.capabilities.includes('thinking') && work.request.think !== false;
  return parserFor(work.model, { tools: work.tools, thinking: work.prompt.thinking }, thinks);
}

/** Only the rendered paths cut; a native prompt that is too long is the runner's to refuse. */
function fitTokens(work: Completion, { launch }: LoadedModel): Outcome<string[]> {
  const { tokens } = work.prompt;
  const isNative = work.model.path === 'native' && !work.raw;
  if (!work.request.truncate || isNative) return { ok: true, value: tokens };
  return cutToFit(tokens, launch.numCtx, work.acquired.options.num_keep ?? 4, launch.shift);
}

function predictLimit(asked: number | undefined, numCtx: number): number {
  const most = NO_LIMIT_FACTOR * numCtx;
  return asked === undefined || asked < 0 ? most : Math.min(asked, most);
}
