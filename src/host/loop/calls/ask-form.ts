/** What the program behind a running call wants to know: one form after the other, on the card of its call. */
import type { ToolItem } from '../../../protocol/model.ts';
import type { AskForm } from '../../tools/tool.ts';
import type { Emit } from '../deps.ts';
import type { Run } from '../ports.ts';

export interface FormQuestions {
  askForm: AskForm;
  /** How long the person was asked, in milliseconds. */
  askedMs: () => number;
}

/**
 * undefined = there is nobody to ask.
 * @param signal fires on Stop and when the person ends the call
 */
export function askForms(
  item: ToolItem,
  { tools, out }: Pick<Run, 'tools' | 'out'>,
  signal: AbortSignal,
): FormQuestions | undefined {
  const { calls } = tools;
  if (!calls) return undefined;
  let askedMs = 0;
  return {
    askedMs: () => askedMs,
    async askForm(question, withdrawn) {
      const begun = out.clock.monotonic();
      let isAsked = false;
      const emit: Emit = (event) => {
        isAsked ||= event.type === 'approval/requested';
        out.emit(event);
      };
      const until = AbortSignal.any([signal, withdrawn]);
      const answer = await calls.askForm({ item, question }, emit, until).catch(() => ({
        action: 'cancel' as const,
      }));
      if (isAsked) {
        askedMs += out.clock.monotonic() - begun;
        if (!signal.aborted) {
          out.emit({ type: 'turn/phase', phase: 'tool' });
          out.emit({ type: 'tool/started', itemId: item.id, sandboxed: null });
        }
      }
      return answer;
    },
  };
}
