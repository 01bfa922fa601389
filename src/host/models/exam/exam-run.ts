/** A run of the loop that is asked once and carries nothing out: what it has no use for refuses, or is empty. */
import type { ModelInfo, RequestUsage } from '../../../protocol/model.ts';
import type { CallMode } from '../../loop/calls/ladder.ts';
import type { ActiveProfile, Lease, ModelKnowledge, TurnDeps } from '../../loop/deps.ts';
import { writing } from '../../loop/endings.ts';
import type { Run } from '../../loop/run.ts';
import type { TemplatePolicy } from '../../prompt/template-policy.ts';
import { createMemoryLog } from '../../subagents/memory-log.ts';
import { entries } from './questions.ts';

/** What the host lends an exam. */
export interface ExamParts extends Pick<
  TurnDeps,
  'provider' | 'account' | 'tools' | 'engine' | 'slots' | 'templates' | 'clock' | 'newId' | 'readingSpeed'
> {
  models: ModelKnowledge;
  onInternalError(error: unknown): void;
}

interface Asked {
  active: ActiveProfile;
  lease: Lease;
  policy: TemplatePolicy;
  mode: CallMode;
  text: string;
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
  const { lease, policy, mode, text, signal } = asked;
  const active = { ...asked.active, profile: { ...asked.active.profile, calls: mode } };
  const log = createMemoryLog('exam');
  log.append([{ role: 'user', content: text }]);
  let index = 0;
  return {
    input: { sessionId: 'exam', turnId: 'exam', profileId: active.profile.id, text, mayPlan: false },
    deps: {
      ...parts,
      models: unteachable(parts.models),
      fallbacks: () => undefined,
      log,
      journal: { started: never, ended: never },
      proveSlot: () => Promise.resolve({ found: 'failed' }),
      reportRefusedGrammar: () => undefined,
      closing: signal,
      hurry: signal,
      look: never,
      workspaceEntries: () => Promise.resolve(entries),
      data: {
        todo: () => ({ steps: [] }),
        setTodo: never,
        mustValidate: () => false,
        readScratchpad: () => ({}),
        writeScratchpad: never,
      },
      agents: null,
      profiles: { list: () => [], switchTo: never },
      active: () => active,
      told: new Set(),
      authorize: () => Promise.resolve('deny'),
      taint: () => null,
      workspace: '',
      folderAdvice: () => null,
      opening: () => '',
      recalled: () => null,
      nextIndex: () => index++,
    },
    emit(event) {
      if (event.type === 'usage/measured') ears.usage(event.usage);
      if (event.type === 'turn/phase' && writing.has(event.phase)) ears.writing();
    },
    signal,
    setting: { active, lease, policy },
    writer: undefined,
  };
}

function never(): never {
  throw new Error('Nothing is carried out in an exam.');
}

/** Each question is asked of the model as it is by itself: neither what was learnt before counts, nor is anything learnt. */
function unteachable(models: ModelKnowledge): ModelKnowledge {
  return {
    calling: () => ({ mode: 'native', provenNative: false, grammarSteps: 0 }),
    learnCalling: () => undefined,
    tokenRatio: (model: ModelInfo) => models.tokenRatio(model),
    learnTokens: (...learnt) => models.learnTokens(...learnt),
    leaksThinking: (...asked) => models.leaksThinking(...asked),
    learnLeak: (...learnt) => models.learnLeak(...learnt),
  };
}
