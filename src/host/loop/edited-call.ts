/**
 * A call that the person writes anew before they allow it. The log keeps the call as the model made it (a prompt only grows
 * at its end); that something else ran, and what, stands before its result.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { Editable } from '../../protocol/model.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import { escapeNotes } from '../prompt/notes.ts';
import { resultCap, truncationMark, type PreparedCall, type ToolContext } from '../tools/tool.ts';
import type { EditableCall } from './deps.ts';
import type { WrittenCall } from './request/reply-writer.ts';

/** So that the result itself still has room. */
const maxQuoteLength = resultCap / 2;

/** What the person may change in this call; null = nothing. What hides something would run on unseen between their own words. */
export function editableCall(
  { tool, args }: Pick<WrittenCall, 'tool' | 'args'>,
  { need }: PreparedCall,
  context: ToolContext,
): EditableCall | null {
  const { editable } = need;
  if (!tool || !editable || visibleText(editable.text) !== editable.text) return null;
  const { argument } = editable;
  return {
    ...editable,
    async withText(text) {
      const changed = { ...args, [argument]: text };
      const parsed = tool.parse(changed);
      if (!parsed.ok) throw cannotRun(argument, `${tool.name} does not take it.`);
      const checked = await parsed.call.check(context);
      if (!checked.ok) throw cannotRun(argument, withoutMark(checked.result.content));
      if (isWider(parsed.call, need)) {
        throw cannotRun(argument, 'It would reach further than what was asked.');
      }
      return { argument, text, args: changed, call: parsed.call };
    },
  };
}

/** What stands before the result, for the model. */
export function editedWords({ argument, text }: Editable): string {
  const quote = text.length > maxQuoteLength ? text.slice(0, maxQuoteLength) + truncationMark : text;
  return `The person changed the ${argument} before it ran, to:\n${escapeNotes(quote)}\n\nIts result:\n`;
}

/** A yes is for what the card said: nothing that is of another kind, or kept in less, runs by it. */
function isWider({ need: now }: PreparedCall, asked: PreparedCall['need']): boolean {
  return now.risk !== asked.risk || (asked.sandboxed && !now.sandboxed);
}

function cannotRun(argument: string, why: string): AndironError {
  return new AndironError(
    'invalid_params',
    `This ${argument} cannot run. ${why}`,
    'Change it, or take your change back.',
  );
}

/** Of words that were made for the model. */
const withoutMark = (content: string): string => content.replace(/^(?:Tool )?error:\s*/i, '');
