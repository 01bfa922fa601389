import type { Family, JsonObject, ThinkingState } from '../render/index.ts';
import { writeUnderGrammar } from '../script/grammar.ts';
import type { ReplyStep, ReplySteps } from '../script/reply.ts';
import type { Plan, PlanStep, TokenEvent } from './reply-plan.ts';

export interface CompileContext {
  family: Family;
  path: Family['path'];
  /** How the prompt ends: whether thinking is open, free or closed. */
  thinking: ThinkingState;
  /** The request's `format`. */
  format: unknown;
  tokenise(text: string): string[];
  newCallId(): string;
}

const isCall = (step: ReplyStep): step is Extract<ReplyStep, { do: 'call' | 'half-call' }> =>
  step.do === 'call' || step.do === 'half-call';

const isWritten = (step: ReplyStep): boolean => isCall(step) || step.do === 'thinking' || step.do === 'text';

/** Turns a scripted reply into what the runner will generate, token by token. */
export function compileReply(reply: ReplySteps, context: CompileContext): Plan {
  const steps = reply.steps.map((step) => asText(step, context.format));
  const plan: Plan = {
    steps: [],
    stop: { reason: 'eos', text: '' },
    losesSlot: false,
    deletesModel: false,
    splitsBytes: false,
  };
  const write = context.path === 'native' ? nativeWriter(steps, context) : rawWriter(steps, context);
  let tokenMs: number | undefined;
  for (const [index, step] of steps.entries()) {
    switch (step.do) {
      case 'thinking':
      case 'text':
      case 'constrained':
      case 'call':
        plan.steps.push(...paced(write(index), tokenMs));
        break;
      case 'half-call': {
        const whole = paced(write(index), tokenMs);
        plan.steps.push(...whole.slice(0, Math.ceil(whole.length / 2)));
        break;
      }
      case 'raw':
        plan.steps.push(
          ...step.tokens.map(({ text, ...rest }) => tokenStep({ kind: 'text', text }, text, rest)),
        );
        break;
      case 'native':
        plan.steps.push(...step.tokens.map(({ pauseMs, ...event }) => nativeStep(event, pauseMs)));
        break;
      case 'pause':
        plan.steps.push({ kind: 'pause', ms: step.ms });
        break;
      case 'fault':
        plan.steps.push({ kind: 'fault', fault: step.fault });
        break;
      case 'prefill':
        plan.prefillMs = step.ms;
        break;
      case 'pace':
        tokenMs = step.tokenMs;
        break;
      case 'refuse':
        plan.refusal = { status: step.status, body: step.body };
        break;
      case 'stop':
        plan.stop = { reason: step.reason, text: step.text };
        break;
      case 'cut':
        cut(plan, step.share);
        break;
      case 'lose-slot':
        plan.losesSlot = true;
        break;
      case 'split-bytes':
        plan.splitsBytes = true;
        break;
      case 'delete-model':
        plan.deletesModel = true;
        break;
    }
  }
  return plan;
}

/** What the model writes under a grammar is text like any other. */
function asText(step: ReplyStep, format: unknown): ReplyStep {
  return step.do === 'constrained' ? { do: 'text', text: writeUnderGrammar(step.value, format) } : step;
}

const isToken = (step: PlanStep): boolean => step.kind === 'token';

/** Leaves so much of the tokens so far. */
function cut(plan: Plan, share: number): void {
  let left = Math.ceil(plan.steps.filter(isToken).length * share);
  plan.steps = plan.steps.filter((step) => (isToken(step) ? left-- : left) > 0);
  plan.stop = { reason: 'limit', text: '' };
}

function paced(steps: PlanStep[], tokenMs: number | undefined): PlanStep[] {
  if (tokenMs === undefined) return steps;
  return steps.map((step) => (step.kind === 'token' ? { ...step, pauseMs: tokenMs } : step));
}

function tokenStep(event: TokenEvent, text: string, rest: { pauseMs?: number } = {}): PlanStep {
  return { kind: 'token', event, text, ...rest };
}

function nativeStep(event: Exclude<TokenEvent, { kind: 'markup' }>, pauseMs: number | undefined): PlanStep {
  const text = event.kind === 'call' ? event.name : event.text;
  return tokenStep(event, text, pauseMs === undefined ? {} : { pauseMs });
}

/** @param ids of the calls, by step; a family writes them only if the model does */
function written(
  steps: readonly ReplyStep[],
  { family, thinking, format }: CompileContext,
  ids: readonly string[],
): string {
  const joined = (kind: 'thinking' | 'text') =>
    steps.flatMap((step) => (step.do === kind ? [step.text] : [])).join('');
  const underGrammar = format !== undefined && format !== '' && joined('thinking') === '';
  return family.writeReply(
    {
      thinking: joined('thinking') || undefined,
      text: joined('text') || undefined,
      ...(underGrammar && { underGrammar }),
      calls: steps.flatMap((step, index) =>
        isCall(step) ? [{ id: ids[index], name: step.name, arguments: step.arguments }] : [],
      ),
    },
    thinking,
  );
}

/**
 * The family writes a reply as a whole (thinking, text, calls), the script in steps. A step's share of the
 * text reaches up to where the reply without the later steps would differ. To be asked for in order.
 */
function sharesOf(
  steps: readonly ReplyStep[],
  context: CompileContext,
  ids: readonly string[],
): (index: number) => string {
  const whole = written(steps, context, ids);
  const last = steps.findLastIndex(isWritten);
  let done = 0;
  return (index) => {
    const end =
      index === last
        ? whole.length
        : Math.max(done, commonLength(whole, written(steps.slice(0, index + 1), context, ids)));
    const share = whole.slice(done, end);
    done = end;
    return share;
  };
}

function rawWriter(steps: readonly ReplyStep[], context: CompileContext): (index: number) => PlanStep[] {
  const shareOf = sharesOf(steps, context, []);
  return (index) => context.tokenise(shareOf(index)).map((text) => tokenStep({ kind: 'text', text }, text));
}

/** On the native path the model writes the same, but the runner reads it and sends thinking, text and calls apart. */
function nativeWriter(steps: readonly ReplyStep[], context: CompileContext): (index: number) => PlanStep[] {
  const ids = steps.map((step) => (isCall(step) ? context.newCallId() : ''));
  const shareOf = sharesOf(steps, context, ids);
  let calls = 0;
  return (at) => {
    const share = shareOf(at);
    const step = steps[at];
    if (step?.do === 'thinking') return contentSteps('reasoning', step.text, share, context);
    if (step?.do === 'text') return contentSteps('text', step.text, share, context);
    return step !== undefined && isCall(step)
      ? callSteps(step, { index: calls++, id: ids[at] ?? '' }, context.tokenise(share))
      : [];
  };
}

/** What stands around the content in the model's own notation goes no further than the runner. */
function contentSteps(
  kind: 'reasoning' | 'text',
  content: string,
  share: string,
  context: CompileContext,
): PlanStep[] {
  const tokens = (text: string) => context.tokenise(text);
  const at = share.indexOf(content);
  const events = tokens(content).map((text) => tokenStep({ kind, text }, text));
  // Thinking is not written where the prompt has closed it; text always is, if in another place.
  if (at < 0) return kind === 'text' ? events : markupSteps(tokens(share));
  return [
    ...markupSteps(tokens(share.slice(0, at))),
    ...events,
    ...markupSteps(tokens(share.slice(at + content.length))),
  ];
}

function markupSteps(tokens: readonly string[]): PlanStep[] {
  return tokens.map((text) => tokenStep({ kind: 'markup' }, text));
}

/** The name comes with the first token, the arguments spread over the others. */
function callSteps(
  { name, arguments: args }: { name: string; arguments: JsonObject },
  { index, id }: { index: number; id: string },
  [first = name, ...rest]: readonly string[],
): PlanStep[] {
  const json = JSON.stringify(args);
  const others = rest.length > 0 ? rest : [json];
  const pieceAt = (position: number) => Math.floor((json.length * position) / others.length);
  return [
    tokenStep({ kind: 'call', index, id, name }, first),
    ...others.map((token, position) =>
      tokenStep(
        { kind: 'arguments', index, text: json.slice(pieceAt(position), pieceAt(position + 1)) },
        token,
      ),
    ),
  ];
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
