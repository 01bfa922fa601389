/**
 * The exam of one model: how fast it reads and writes by the engine's own counters, and how many of a few small calls are
 * right, asked under the profile's own head as a turn asks them. Both ways to call take turns, so that an exam that is cut
 * short still says something of each.
 */
import type { Timer } from '../../../platform/clock.ts';
import type { ExamProgress, ExamResult, ExamScore } from '../../../protocol/exam.ts';
import type { ModelInfo, RequestUsage } from '../../../protocol/model.ts';
import { modeByItself } from '../../loop/calls/call-mode.ts';
import type { CallMode } from '../../loop/calls/ladder.ts';
import type { Run } from '../../loop/ports.ts';
import type { ActiveProfile, Lease } from '../../loop/deps.ts';
import { estimatePrompt } from '../../prompt/token-estimate.ts';
import { askForSpeed, askQuestion, type Verdict } from './ask-question.ts';
import { examRun, type ExamEars, type ExamParts } from './exam-run.ts';
import type { GpuShare, ShareTurn } from './gpu-share.ts';
import { answerable, questions, unreadText } from './exam-questions.ts';
import { askMeetingQuestion } from '../ask-meeting.ts';
import { behaviourQuestions, maxBehaviourQuestions, type MeetingQuestion } from '../meeting-questions.ts';
import type { Seen } from '../../loop/calls/turn-evidence.ts';

/** Of asking; waiting for the GPU and loading do not count. */
export const limitMs = 180_000;
/** A shorter prompt is read too fast to tell the speed of a long one. */
const minRead = 200;
/** Fewer tokens than this say nothing of how fast it writes. */
const minWritten = 8;
const maxWords = 700;
/** Words of the stock are one token or two each. */
const tokensPerWord = 1.5;

export interface ExamSubject {
  model: ModelInfo;
  /** Its head is what sessions begin with, so that the exam leaves it read. */
  active: ActiveProfile;
}

export type Findings = Pick<
  ExamResult,
  'contextTokens' | 'readsPerSecond' | 'writesPerSecond' | 'native' | 'constrained' | 'byItself' | 'complete'
>;

/** What is told while it goes on. */
export interface ExamListener {
  step: (step: Pick<ExamProgress, 'phase' | 'asked' | 'total'>) => void;
  usage: (usage: RequestUsage) => void;
}

export const questionCount = ({ head }: Pick<ActiveProfile, 'head'>, model: ModelInfo): number =>
  answerable(head.tools).length * waysToCall(model) +
  (mayCallNatively(model) ? behaviourQuestions(head.tools).length : 0);

/** Of a profile that has all tools. */
export const maxQuestions = (model: ModelInfo): number =>
  questions.length * waysToCall(model) + (mayCallNatively(model) ? maxBehaviourQuestions : 0);

const waysToCall = (model: ModelInfo): number => (mayCallNatively(model) ? 2 : 1);

const mayCallNatively = ({ capabilities }: ModelInfo): boolean =>
  capabilities === null || capabilities.includes('tools');

/** Rejects with the signal's reason, and with what the engine throws. */
export async function takeExam(
  { model, active: usual }: ExamSubject,
  share: GpuShare,
  parts: ExamParts,
  { step, usage: onUsage }: ExamListener,
): Promise<Findings> {
  const active = { ...usual, think: usual.think ?? minThinking(model) };
  const usages: RequestUsage[] = [];
  const clock = limitClock(parts);
  const asked = answerable(active.head.tools);
  const total = Math.max(1, questionCount(active, model));
  let contextTokens = active.profile.contextTokens;
  let byItself = null as CallMode | null;
  let now: Parameters<ExamListener['step']>[0] = { phase: 'calling', asked: 0, total };
  /** Reported again when the GPU was granted: until then it only waited. */
  const report = (next: typeof now): void => {
    now = next;
    step(next);
  };

  /** undefined = the time is over. */
  const one = async <T>(
    mode: CallMode,
    text: (lease: Lease) => string,
    work: (run: Run, signal: AbortSignal) => Promise<T>,
    made?: MeetingQuestion['made'],
  ): Promise<T | undefined> => {
    if (clock.isOver()) return undefined;
    return share.ask(async (lease, turn) => {
      report(now);
      contextTokens = lease.plan.options.num_ctx;
      const policy = await parts.templates.policyOf(lease, turn.signal);
      byItself = modeByItself(lease.model, policy, parts.models);
      return clock.within(turn, (signal) => {
        const ears: ExamEars = {
          usage: (usage) => {
            usages.push(mode === 'native' ? usage : { ...usage, outputTokens: null });
            onUsage(usage);
          },
          writing: () => turn.writing(),
        };
        const run = examRun({ active, lease, policy, mode, text: text(lease), made, signal }, parts, ears);
        return work(run, signal);
      });
    });
  };

  const scores = { native: tally(), constrained: tally() };
  let count = 0;
  for (const question of asked) {
    for (const mode of ['native', 'constrained'] as const) {
      const score = scores[mode];
      if (score.closed || (mode === 'native' && !mayCallNatively(model))) continue;
      report({ phase: 'calling', asked: count, total });
      const verdict = await one(
        mode,
        () => question.text,
        (run, signal) =>
          mode === 'native' && run.setting.policy.toolsInSystem
            ? Promise.resolve<Verdict>('refused')
            : askQuestion(question, run, signal),
      );
      if (verdict === undefined) continue;
      score.add(verdict);
      teach(model, mode, verdict, parts.models);
      count += 1;
    }
  }
  for (const question of mayCallNatively(model) ? behaviourQuestions(active.head.tools) : []) {
    if (scores.native.closed) break;
    report({ phase: 'calling', asked: count, total });
    const ask = (run: Run, signal: AbortSignal): Promise<Seen[]> => askMeetingQuestion(question, run, signal);
    const seen = await one('native', () => question.text, ask, question.made);
    for (const { ability, isGood } of seen ?? []) parts.models.observe(model, ability, isGood);
    if (seen) count += 1;
  }
  // The head told how fast it reads, and the calls how fast it writes, unless most of it was in the cache.
  if (fastestReading(usages) === null || writing(usages) === null) {
    report({ phase: 'reading', asked: count, total });
    await one('native', (lease) => longText(active, lease, parts.clock.now()), askForSpeed);
  }
  return {
    contextTokens,
    readsPerSecond: fastestReading(usages),
    writesPerSecond: writing(usages),
    native: scores.native.score(),
    constrained: scores.constrained.score(),
    ...(byItself && { byItself }),
    complete: !clock.isOver(),
  };
}

/**
 * A wrong choice under a grammar says nothing of how its model takes grammars: only one that is refused does. A call that a
 * model did not make by itself is one that a turn would have lost, and one in its text is none of either way.
 */
function teach(
  model: ModelInfo,
  mode: CallMode,
  verdict: Verdict,
  knowledge: Pick<ExamParts['models'], 'observe'>,
): void {
  const isGood = verdict === 'right' || verdict === 'mended';
  if (mode === 'native' && verdict !== 'refused') knowledge.observe(model, 'native', isGood);
  if (mode === 'constrained' && verdict !== 'wrong') knowledge.observe(model, 'grammar', isGood);
  if (verdict === 'text') knowledge.observe(model, 'text', true);
}

/** A small call needs no thought, and two dozen thoughts would take all the time; undefined = it thinks as it likes. */
export function minThinking({
  thinkingValues,
}: Pick<ModelInfo, 'thinkingValues'>): boolean | string | undefined {
  return [false, 'low'].find((value) => thinkingValues?.includes(value));
}

function longText({ head }: ActiveProfile, { plan }: Lease, seed: number): string {
  const room = plan.options.num_ctx * 0.75 - estimatePrompt(head, [], null);
  const words = Math.max(0, Math.min(maxWords, Math.floor(room / tokensPerWord)));
  return `${unreadText(words, seed)}\n\nThese words mean nothing. Answer without a tool: count from one to forty in words.`;
}

function tally() {
  const score: ExamScore = { valid: 0, asked: 0, mended: 0 };
  let closed = false;
  return {
    /** The engine refuses this way to call: it is not asked again. */
    get closed() {
      return closed;
    },
    add(verdict: Verdict): void {
      if (verdict === 'refused') closed = true;
      else {
        score.asked += 1;
        if (verdict !== 'wrong') score.valid += 1;
        if (verdict === 'mended' || verdict === 'text') score.mended += 1;
      }
    },
    score: (): ExamScore | null => (closed || score.asked === 0 ? null : score),
  };
}

/** Of the prompt of which most was read; null = the engine did not count, or nothing telling was read. */
function fastestReading(usages: readonly RequestUsage[]): number | null {
  const measured = usages
    .map((usage) => ({ tokens: tokensRead(usage), ms: usage.promptMs ?? 0 }))
    .filter(({ tokens, ms }) => tokens >= minRead && ms > 0)
    .toSorted((a, b) => b.tokens - a.tokens);
  const [longest] = measured;
  return longest ? perSecond(longest.tokens, longest.ms) : null;
}

/** What the engine counted, else what the ledger settled; 0 = nobody knows. */
function tokensRead({ promptTokens, evaluatedTokens, reading }: RequestUsage): number {
  if (evaluatedTokens !== null) return evaluatedTokens;
  const cached = reading?.cachedTokens ?? null;
  return promptTokens === null || cached === null ? 0 : promptTokens - cached;
}

/** Over all replies without a grammar, which slows writing down. */
function writing(usages: readonly RequestUsage[]): number | null {
  const counted = usages.filter(
    ({ outputTokens, outputMs }) => (outputTokens ?? 0) >= minWritten && (outputMs ?? 0) > 0,
  );
  const sum = (pick: (usage: RequestUsage) => number | null): number =>
    counted.reduce((all, usage) => all + (pick(usage) ?? 0), 0);
  return counted.length === 0
    ? null
    : perSecond(
        sum(({ outputTokens }) => outputTokens),
        sum(({ outputMs }) => outputMs),
      );
}

const perSecond = (tokens: number, ms: number): number => Math.round((tokens * 10_000) / ms) / 10;

/** Counts only what is spent with the GPU in hand. */
function limitClock({ clock }: Pick<ExamParts, 'clock'>) {
  let spentMs = 0;
  const isOver = (): boolean => spentMs >= limitMs;
  return {
    isOver,
    /** undefined = the time ended within it. */
    async within<T>(
      { signal }: ShareTurn,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T | undefined> {
      const began = clock.monotonic();
      const over = new AbortController();
      const timer: Timer = clock.after(limitMs - spentMs, () => over.abort());
      try {
        return await work(AbortSignal.any([signal, over.signal]));
      } catch (error) {
        signal.throwIfAborted();
        if (!over.signal.aborted) throw error;
        return undefined;
      } finally {
        timer.cancel();
        spentMs += clock.monotonic() - began;
      }
    },
  };
}
