/** A session to read: what was said, and one line for each thing that was done. */
import { answerMark } from '../../rules/answer-mark.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { Item } from '../../protocol/model.ts';
import type { SessionSnapshotFile } from './snapshot.ts';

/** The current version of the conversation, without thinking and what subagents did. */
export function toMarkdown({ session, turns, items, exportedAt }: SessionSnapshotFile): string {
  const current = new Set(turns.filter((turn) => !turn.replaced).map(({ id }) => id));
  const parts = items
    .filter((item) => current.has(item.turnId) && item.parentCallId === undefined)
    .map(toPart)
    .filter((part) => part !== '');
  const about = `Folder: ${code(session.workspace)}, exported ${new Date(exportedAt).toISOString()}`;
  return `${[`# ${oneLine(session.title)}`, about, ...parts].join('\n\n')}\n`;
}

function toPart(item: Item): string {
  switch (item.kind) {
    case 'user':
      return ['## You', item.text.trim(), attached(item.attachments)]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'text':
      return item.text.trim() === '' ? '' : `## Andiron\n\n${item.text.trim()}`;
    case 'tool':
      return `- ${code(item.tool)} ${code(visibleName(item.subject))}: ${item.state}${item.edited ? ', changed by the person' : ''}${pictures(item.attachments)}`;
    case 'plan':
      if (item.problem !== undefined) return `> ${oneLine(item.problem)}`;
      return `### ${item.source === 'host' ? 'Steps' : 'Plan'}\n\n${item.steps.map((step, index) => `${String(index + 1)}. ${oneLine(step.text)}`).join('\n')}`;
    case 'summary':
      return item.undone ? '' : `> ${item.text.trim().replaceAll('\n', '\n> ')}`;
    case 'error':
      return `> **${oneLine(item.message)}** ${oneLine(item.advice)}`.trimEnd();
    case 'stopped':
      return '> **Stopped.**';
    case 'switch':
      return `> ${oneLine(item.to.name)} goes on with ${oneLine(item.to.model)}.`;
    case 'note': {
      const mark = answerMark(item);
      return mark === undefined ? '' : `> ${mark}`;
    }
    case 'thinking':
      return '';
  }
}

function attached(files: readonly Attachment[] = []): string {
  return files.length === 0 ? '' : `Attached: ${files.map(({ name }) => code(name)).join(', ')}`;
}

const pictures = (files: readonly Attachment[] = []): string =>
  files.length === 0 ? '' : ` (${files.map(({ name }) => code(name)).join(', ')})`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Longer than any run of backticks inside. */
function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
