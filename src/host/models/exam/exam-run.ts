/** A run of the loop that is asked once and carries nothing out: what it has no use for refuses, or is empty. */
import type { ModelInfo, RequestUsage } from '../../../protocol/model.ts';
import { isExpected } from '../../../rules/ability-scores.ts';
import { guidedHead } from '../../loop/calls/toolsets.ts';
import type { CallMode } from '../../loop/calls/ladder.ts';
import type { ActiveProfile, ContextLog, Emit, Lease, ModelKnowledge } from '../../loop/deps.ts';
import { writing } from '../../loop/endings.ts';
import type { ModelPort, Ports, Run, ToolPort } from '../../loop/ports.ts';
import { waitingRun } from '../../loop/run.ts';
import type { OutPort } from '../../loop/output.ts';
import type { TemplatePolicy } from '../../prompt/template-policy.ts';
import { createMemoryLog } from '../../subagents/memory-log.ts';
import { entries } from './exam-questions.ts';

/** What the host lends an exam. */
export interface ExamParts
  extends
    Pick<ModelPort, 'provider' | 'tracker' | 'engine' | 'slots' | 'templates' | 'models' | 'readingSpeed'>,
    Pick<ToolPort, 'tools'>,
    Pick<OutPort, 'clock' | 'newId'> {
  onInternalError(error: unknown): void;
}

interface Asked {
  active: ActiveProfile;
  lease: Lease;
  policy: TemplatePolicy;
  mode: CallMode;
  text: string;
  /** A call that stands as made behind the text, with its result; absent = none. */
  made?: { tool: string; args: Record<string, unknown>; result: string } | undefined;
  /** It is asked to open a turn, so it is sent what a model is sent that opens its turns. */
  opensTurns?: boolean;
  signal: AbortSignal;
}

/** What an exam hears of a question. */
export interface ExamEars {
  /** The counters of the answered request. */
  usage: (usage: RequestUsage) => void;
  /** Words come: closing now could cost the model its slot. */
  writing: () => void;
}

export function examRun(asked: Asked, parts: ExamParts, ears: ExamEars): Run {
  const { lease, policy, mode, text, signal, opensTurns = false } = asked;
  const whole = asked.active.head;
  const profile = { ...asked.active.profile, calls: mode };
  const active = { ...asked.active, profile, head: opensTurns ? guidedHead(whole) : whole };
  const ports = portsOf(active, askedLog(text, asked.made), parts, signal);
  const emit: Emit = (event) => {
    if (event.type === 'usage/measured') ears.usage(event.usage);
    if (event.type === 'turn/phase' && writing.has(event.phase)) ears.writing();
  };
  const run = waitingRun('exam', { ...ports, out: { ...ports.out, emit } }, signal);
  return {
    ...run,
    setting: {
      active,
      whole,
      lease,
      policy,
      isGuided: opensTurns,
      opensTurns,
      mayUse: false,
      mayFind: false,
    },
  };
}

function askedLog(text: string, made: Asked['made']): ContextLog {
  const log = createMemoryLog('exam');
  log.append([{ role: 'user', content: text }]);
  if (!made) return log;
  const { tool: name, args, result: content } = made;
  const callId = 'call_0';
  log.append([{ role: 'assistant', content: '', thinking: '', calls: [{ id: callId, name, args }] }]);
  log.settle({ callId, content });
  return log;
}

function portsOf(active: ActiveProfile, log: ContextLog, parts: ExamParts, signal: AbortSignal): Ports {
  const { provider, tracker, engine, slots, templates, readingSpeed, tools, clock, newId } = parts;
  let index = 0;
  return {
    model: {
      provider,
      tracker,
      engine,
      slots,
      templates,
      readingSpeed,
      models: unteachable(parts.models),
      active: () => active,
      proof: { prove: () => Promise.resolve({ found: 'failed' }), closing: signal, preempted: signal },
      fallbacks: () => undefined,
      reportRefusedGrammar: () => undefined,
    },
    history: {
      log,
      journal: { started: never, ended: never },
      opening: () => '',
      recalled: () => null,
    },
    tools: {
      sessionId: 'exam',
      tools,
      workspace: {
        path: '',
        advice: () => null,
        entries: () => Promise.resolve(entries),
        look: never,
      },
      data: {
        todo: () => ({ steps: [] }),
        setTodo: never,
        mustValidate: () => false,
        readScratchpad: () => ({}),
        writeScratchpad: never,
      },
      profiles: { list: () => [], switchTo: never },
      agents: null,
      authorize: () => Promise.resolve('deny'),
      reads: { taint: () => null },
    },
    out: {
      emit: () => undefined,
      clock,
      newId,
      nextIndex: () => index++,
      said: new Set(),
      reportBug: (error) => parts.onInternalError(error),
    },
  };
}

function never(): never {
  throw new Error('Nothing is carried out in an exam.');
}

/** Each question is asked of the model as it is by itself: neither what was learnt before counts, nor is anything learnt. */
function unteachable(models: ModelKnowledge): ModelKnowledge {
  return {
    holds: (_model, ability) => isExpected(ability),
    mayTry: (_model, ability) => isExpected(ability),
    observe: () => undefined,
    tokenRatio: (model: ModelInfo) => models.tokenRatio(model),
    learnTokens: (...learnt) => models.learnTokens(...learnt),
    leaksThinking: (...asked) => models.leaksThinking(...asked),
    learnLeak: (...learnt) => models.learnLeak(...learnt),
  };
}
