import type { Family, ThinkingState } from '../render/index.ts';
import type { Reply, ReplyStep } from '../script/reply.ts';
import type { Plan, PlanStep, TokenEvent } from './plan.ts';

export interface CompileContext {
  family: Family;
  path: Family['path'];
  /** How the prompt ends: whether thinking is open, free or closed. */
  thinking: ThinkingState;
  tokenise(text: string): string[];
  newCallId(): string;
}

type Written = Extract<ReplyStep, { do: 'thinking' | 'text' | 'call' | 'half-call' }>;

const isWritten = (step: ReplyStep): step is Written =>
  ['thinking', 'text', 'call', 'half-call'].includes(step.do);

/** Turns a scripted reply into what the runner will generate, token by token. */
export function compileReply(reply: Reply, context: CompileContext): Plan {
  const { steps } = reply;
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

function paced(steps: PlanStep[], tokenMs: number | undefined): PlanStep[] {
  if (tokenMs === undefined) return steps;
  return steps.map((step) => (step.kind === 'token' ? { ...step, pauseMs: tokenMs } : step));
}

function tokenStep(event: TokenEvent, text: string, rest: { pauseMs?: number } = {}): PlanStep {
  return { kind: 'token', event, text, ...rest };
}

function nativeStep(event: TokenEvent, pauseMs: number | undefined): PlanStep {
  const text = event.kind === 'call' ? event.name : event.text;
  return tokenStep(event, text, pauseMs === undefined ? {} : { pauseMs });
}

function written(steps: readonly ReplyStep[], context: CompileContext): string {
  const own = steps.filter(isWritten);
  const joined = (kind: 'thinking' | 'text') =>
    own.flatMap((step) => (step.do === kind ? [step.text] : [])).join('');
  return context.family.writeReply(
    {
      thinking: joined('thinking') || undefined,
      text: joined('text') || undefined,
      calls: own.flatMap((step) =>
        step.do === 'call' || step.do === 'half-call' ? [{ name: step.name, arguments: step.arguments }] : [],
      ),
    },
    context.thinking,
  );
}

/**
 * The family writes a reply as a whole (thinking, text, calls), the script in steps. A step's share of the
 * text reaches up to where the reply without the later steps would differ.
 */
function rawWriter(steps: readonly ReplyStep[], context: CompileContext): (index: number) => PlanStep[] {
  const whole = written(steps, context);
  const last = steps.findLastIndex(isWritten);
  let done = 0;
  return (index) => {
    const end =
      index === last
        ? whole.length
        : Math.max(done, commonLength(whole, written(steps.slice(0, index + 1), context)));
    const tokens = context.tokenise(whole.slice(done, end));
    done = end;
    return tokens.map((text) => tokenStep({ kind: 'text', text }, text));
  };
}

/** On the native path the runner sends thinking, text and calls apart. */
function nativeWriter(steps: readonly ReplyStep[], context: CompileContext): (index: number) => PlanStep[] {
  let calls = 0;
  return (at) => {
    const step = steps[at];
    if (step?.do === 'thinking') {
      if (context.thinking === 'closed') return [];
      return context.tokenise(step.text).map((text) => tokenStep({ kind: 'reasoning', text }, text));
    }
    if (step?.do === 'text')
      return context.tokenise(step.text).map((text) => tokenStep({ kind: 'text', text }, text));
    if (step?.do !== 'call' && step?.do !== 'half-call') return [];
    const index = calls++;
    const pieces = context.tokenise(JSON.stringify(step.arguments));
    return [
      tokenStep({ kind: 'call', index, id: context.newCallId(), name: step.name }, step.name),
      ...pieces.map((text) => tokenStep({ kind: 'arguments', index, text }, text)),
    ];
  };
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
