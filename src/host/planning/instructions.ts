/**
 * What the model reads when it plans (D7-D11). The head shows the tools, so no text here lists them; and none looks like
 * a call, because models print what they are shown (W17). Every word is read on every planned message: keep them few.
 */
import { shorten } from './reply-text.ts';

/** A profile that a subagent may have. */
export interface Delegate {
  id: string;
  /** One line; may be empty. */
  description: string;
}

/** R: the hard maximum of a plan. */
export const maxSteps = 15;

/** Of a description, in a list of profiles. */
const maxDescriptionLength = 100;

/** Phase 1, a note in the person's message. Without `DIRECT` where a plan is mandatory (W18). */
export function classifyInstruction(mandatory: boolean): string {
  const direct =
    'If this message needs no plan (small talk, a question, one or two simple actions), answer with the one word DIRECT. Otherwise write';
  return [
    `Do not start yet. ${mandatory ? 'Write' : direct} a short analysis, one line each: goal, what is known, what must be found out, risks.`,
    'End the analysis with the line REFLECT: yes if mistakes would be costly or facts are unsure, else with REFLECT: no',
  ].join('\n');
}

/** Phase 2, a user message (D8). */
export const reviewInstruction = [
  'Review the analysis above in four short sections. Do not write the plan yet.',
  '**Critic:** wrong assumptions, risks, contradictions, facts to verify',
  '**Pragmatist:** a simpler path, needless steps, who or what does them better',
  '**Detailer:** missing requirements, sources to look at, gaps in how the result is checked',
  '**Plan Adjustments:** concrete changes that the plan must apply',
].join('\n');

/**
 * Phase 3, a user message (D9-D11). `delegates`: empty where no subagent can be started; then none is spoken of.
 * The review stands above it in the log, so it is named and not repeated.
 */
export function planInstruction(reviewed: boolean, delegates: readonly Delegate[]): string {
  return [
    `Write the plan now${reviewed ? ' and apply the Plan Adjustments' : ''}. Do not carry it out yet.`,
    'Begin with the line **Steps:** and write milestones as bold lines, **M1: …**. Below them number the steps. A step is one line: what to do, a dash, and who does it:',
    '- TOOL: and the name of one tool, for a single call',
    ...(delegates.length === 0
      ? []
      : ['- AGENT: and the id of a profile, for a bounded part of three or more calls']),
    '- SELF, for thinking and writing',
    `1 to 3 steps for a simple task, 5 to 9 for a medium one, 8 to ${String(maxSteps)} for a complex one, never more.`,
    'A step that lists several things with "and" or commas must be split: one thing per step.',
    'Where a result can be seen, add one of these lines below the step: CHECK: file PATH or CHECK: text "WORDS" in PATH or CHECK: command LINE',
    ...(delegates.length === 0 ? [] : [`Profiles:\n${delegates.map(describe).join('\n')}`]),
  ].join('\n');
}

function describe({ id, description }: Delegate): string {
  const about = shorten(description.replaceAll(/\s+/g, ' ').trim(), maxDescriptionLength);
  return about === '' ? `- ${id}` : `- ${id}: ${about}`;
}

export const tickInstruction = 'Mark each step in the todo tool when you begin and when you end it.';

/**
 * The trigger after a plan, so that it is not taken for the answer (W17). `list`: the steps as the todo list has them,
 * where their numbers are not the plan's own; `todoTool`: whether the model can tick them itself.
 */
export function executeInstruction(list: string | null, todoTool: boolean): string {
  const tick = todoTool ? ` ${tickInstruction}` : '';
  return [
    `Now carry out the plan, beginning with step 1.${tick} When all is done, answer my message above.`,
    ...(list === null ? [] : [`The steps:\n${list}`]),
  ].join('\n');
}

/** A note in the person's message, where the session only plans. */
export const planOnlyInstruction =
  'Only plan: nothing may be changed or run before the person approves a plan. Look at what you need and say in a few lines what you found. You are asked for the plan after that.';

/** Where the session only plans, once the model has looked and answered. A question needs no plan, and then none is made. */
export const proposeInstruction = (delegates: readonly Delegate[]): string =>
  `If what I asked for needs no change and no command, write the one word DIRECT and nothing else. Otherwise: ${planInstruction(false, delegates)}`;

/** Behind the words with which the person approves a plan: its steps as they left them. */
export const approvedSteps = (list: string): string => `The steps, in this order:\n${list}`;

/** The trigger after DIRECT. */
export const directInstruction = 'Go on without a plan: do what my message above asks, and answer it.';
