import type { ReactNode } from 'react';
import type { ToolDisplay, ToolItem } from '../../../protocol/model.ts';
import { changedFiles, transcript as text } from '../../text.ts';
import { DiffCount } from '../../components/diff-view.tsx';

const maxReasonLength = 90;

/** What came of a call, in one short phrase at the right of its row. */
export function ToolFacts({ item }: { item: ToolItem }): ReactNode {
  if (item.state === 'failed') return failure(item);
  if (item.state !== 'done') return stateWords(item);
  return item.display === null ? null : displayFacts(item.display);
}

export function stateWords({ state, approval, decision, timedOut }: ToolItem): string {
  // What a running call wanted to know may go unanswered, and the call goes on.
  if (timedOut && state === 'declined') return text.timedOut;
  const unanswered = state === 'interrupted' && approval !== null && decision === null;
  return unanswered ? text.unanswered : text.toolStates[state];
}

function displayFacts(display: NonNullable<ToolItem['display']>): ReactNode {
  switch (display.kind) {
    case 'file':
      return text.facts.lines(display.firstLine, display.lastLine, display.totalLines);
    case 'diff':
      return <DiffCount added={display.added} removed={display.removed} />;
    case 'list':
      return text.facts.entries(display.total);
    case 'matches':
      return text.facts.hits(display.total, display.files);
    case 'sources':
      return text.facts.sources(display.sources.length);
    case 'command':
      return commandFacts(display);
  }
}

function commandFacts({ exitCode, signal, changes }: Extract<ToolDisplay, { kind: 'command' }>): string {
  const exit = exitWords(exitCode, signal);
  return changes && changes.total > 0 ? `${exit} · ${changedFiles.count(changes.total)}` : exit;
}

function failure(item: ToolItem): string {
  if (item.display?.kind === 'command') return commandFacts(item.display);
  const reason = item.result.split('\n', 1)[0]?.replace(/^(Tool )?error:\s*/i, '') ?? '';
  if (reason === '') return text.toolStates.failed;
  return reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength - 1)}…` : reason;
}

function exitWords(code: number | null, signal: string | null): string {
  if (signal !== null) return text.facts.signal(signal);
  return code === null ? text.toolStates.failed : text.facts.exit(code);
}
