/** The log as it goes out to a model: whatever asks on its prefix sends the same. */
import type { ModelInfo } from '../../../protocol/model.ts';
import { shownTo } from '../../prompt/attached.ts';
import { openingFacts } from '../../prompt/opening.ts';
import { withoutNotes } from '../../prompt/notes.ts';
import type { ContextMessage } from '../../providers/provider.ts';
import type { Setting } from '../deps.ts';
import { wholeFile } from '../../tools/tool.ts';
import { examplesFor } from '../opening/examples.ts';

export type Lead = Pick<Setting, 'isGuided' | 'opensTurns' | 'mayUse' | 'mayFind'>;

/** To a guided model without what it would copy; worked examples stand in front where it opens its turns. */
export function asSent(
  log: readonly ContextMessage[],
  model: Pick<ModelInfo, 'capabilities'>,
  { isGuided, opensTurns, mayUse, mayFind }: Lead,
): readonly ContextMessage[] {
  const shown = shownTo(model, log);
  if (!isGuided) return shown;
  const simple = shown.map(simplified);
  return opensTurns ? [...examplesFor({ mayUse, mayFind }), ...simple] : simple;
}

/**
 * A small model takes whatever it reads for part of the task or of the answer: notes end up in files, the head of a result
 * in the answer, the full path of the workspace before every other path, and a system that is named asks for its shell.
 */
function simplified(message: ContextMessage): ContextMessage {
  if (message.role === 'assistant') return message;
  const content = withoutNotes(message.content);
  if (message.role === 'user') return { ...message, content: content.replace(openingFacts, '') };
  return { ...message, content: message.tool === 'read_file' ? content.replace(wholeFile, '') : content };
}
