/**
 * Phase 3 as small models write it → steps (D9, D10, P1, Q10). Nothing is guessed that is not there: who is not named is
 * the agent itself, what cannot be understood is said in `dropped`, and the order is the model's own.
 */
import { maxStepLength } from '../../protocol/limits.ts';
import type { PlanStep, StepCheck } from '../../protocol/plan.ts';
import { maxSteps } from './instructions.ts';
import { readPlanLines, type WrittenStep } from './plan-lines.ts';
import { readCheck } from './read-check.ts';
import { readExecutor, type Offered } from './read-executor.ts';
import { shorten, withoutBold, withoutThinking } from './reply-text.ts';

export type ParsedPlan =
  | {
      kind: 'plan';
      /** 1 to 15, all pending, ids `step_1` … in order. */
      steps: PlanStep[];
      /** In words, for the person: what was left out or changed. */
      dropped: string[];
      /** The numbers in the model's text are not those of the steps. */
      renumbered: boolean;
    }
  | { kind: 'malformed' };

const maxRemarks = 20;

/** Malformed = there is no numbered line that is a step; planning is then skipped without a word (X12 e). */
export function parsePlan(reply: string, offered: Offered): ParsedPlan {
  const written = readPlanLines(withoutThinking(reply));
  const dropped: string[] = [];
  const steps: PlanStep[] = [];
  const seen = new Set<string>();
  let repeated = 0;
  let tooMany = 0;
  let renumbered = false;

  for (const line of written) {
    const key = `${line.text} ${line.details.join(' ')}`
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase();
    if (seen.has(key)) {
      repeated += 1;
      continue;
    }
    seen.add(key);
    if (steps.length === maxSteps) {
      tooMany += 1;
      continue;
    }
    const step = toStep(line, steps.length + 1, offered, dropped);
    if (step === null) continue;
    steps.push(step);
    if (line.number !== steps.length) renumbered = true;
  }
  if (steps.length === 0) return { kind: 'malformed' };
  const remarks = dropped.slice(0, maxRemarks);
  if (repeated > 0)
    remarks.push(`Left out ${String(repeated)} repeated ${repeated === 1 ? 'step' : 'steps'}.`);
  if (tooMany > 0)
    remarks.push(
      `The plan had ${String(steps.length + tooMany)} steps; the first ${String(maxSteps)} were kept.`,
    );
  return { kind: 'plan', steps, dropped: remarks, renumbered };
}

/** null = a placeholder of the form, which some models copy (Q10). */
function toStep(written: WrittenStep, index: number, offered: Offered, dropped: string[]): PlanStep | null {
  const { line, check: inline } = splitCheck(written.text, inlineCheck);
  const below = written.details.map((detail) => splitCheck(detail, checkLine));
  const own = readExecutor(line, offered);
  const found = own ?? first(below, (detail) => readExecutor(detail.line, offered));
  const text = (own?.rest ?? line).trim();
  if (text.startsWith('[')) {
    dropped.push(`Left out a placeholder: ${shorten(text, 60)}`);
    return null;
  }
  if (found?.problem) dropped.push(`Step ${String(index)}: ${found.problem}, so it is the agent's own.`);
  const executor = found?.executor ?? { kind: 'self' };
  return {
    id: `step_${String(index)}`,
    text: shorten(text === '' ? nameOf(executor) : text, maxStepLength),
    milestone: written.milestone,
    executor,
    status: 'pending',
    check: checkOf(inline ?? first(below, ({ check }) => check), index, dropped),
    validation: null,
    evidence: null,
    parentId: null,
  };
}

const inlineCheck = /(?:^|[\s—–|([-])CHECK\s*[:=]\s*/;
const checkLine = /^check\s*[:=–—-]\s*/i;

/** Without bold and tick box. In a sentence only the word in capitals begins a check; below a step the line is one. */
function splitCheck(text: string, opens: RegExp): { line: string; check: string | null } {
  const plain = withoutBold(text)
    .replace(/^\[[ xX]?\]\s*/, '')
    .trim();
  const match = opens.exec(plain) ?? inlineCheck.exec(plain);
  if (!match) return { line: plain, check: null };
  const line = plain.slice(0, match.index).replace(/[\s—–|([-]+$/u, '');
  // Who does it may stand behind the check.
  const [check = '', who] = plain
    .slice(match.index + match[0].length)
    .split(/\s[—–|-]+\s(?=(?:TOOL|AGENT|SELF)\b)/);
  return { line: who === undefined ? line : `${line} - ${who}`, check };
}

function checkOf(written: string | null, index: number, dropped: string[]): StepCheck | null {
  if (written === null) return null;
  const check = readCheck(written);
  if (check === 'unclear')
    dropped.push(`Step ${String(index)}: its check was not understood: ${shorten(written, 80)}`);
  return typeof check === 'string' ? null : check;
}

function nameOf(executor: PlanStep['executor']): string {
  if (executor.kind === 'tool') return executor.tool;
  return executor.kind === 'agent' ? executor.profileId : 'Think';
}

function first<T, R>(items: readonly T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const result = read(item);
    if (result !== null) return result;
  }
  return null;
}
