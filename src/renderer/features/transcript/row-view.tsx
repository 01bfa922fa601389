import { memo } from 'react';
import { transcript as text } from '../../text.ts';
import { Place } from '../../components/code/wrapped.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { MarkdownBlocks } from '../../components/markdown/markdown.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { ApprovalCard } from './approval-card.tsx';
import type { Row } from './rows.ts';
import { AgentRow } from './agent-row.tsx';
import { ErrorCard, OutcomeCard, QuietLine, SwitchCard } from './cards.tsx';
import { CopyAnswer } from './copy-answer.tsx';
import { EarlierVersion } from './earlier-version.tsx';
import { FoldedCalls } from './folded-calls.tsx';
import { NoteEntry } from './notes.tsx';
import { PlanCard } from './plan-card.tsx';
import { Progress } from './progress.tsx';
import { Receipt } from './receipt.tsx';
import { stopTimes } from '../../stores/figures.ts';
import { StoppedCard } from './stopped-card.tsx';
import { SummaryCard } from './summary-card.tsx';
import { ThinkingLine } from './thinking.tsx';
import { ToolGroup } from './tool-group.tsx';
import { TurnChanges } from './turn-changes.tsx';
import { Unshown } from './unshown.tsx';
import { AnswerActions, MessageBody, UserMessage } from './user-message.tsx';

/** One row of the transcript; rendered again only when its own data changed. One that cannot be drawn leaves the others. */
export const RowView = memo(({ row }: { row: Row }) => (
  <ErrorBoundary
    subject={row}
    renderFailure={(reason) => (
      <section className="log">
        <Unshown item={stored(row)} reason={reason} />
      </section>
    )}
  >
    <Place name={row.key}>
      <RowContent row={row} />
    </Place>
  </ErrorBoundary>
));
RowView.displayName = 'RowView';

/** What a row was made of, without what only drawing needs. */
function stored(row: Row): unknown {
  if ('item' in row) return row.item;
  if ('turn' in row) return row.turn;
  if (row.kind === 'text') return row.part.blocks.map(({ token }) => token.raw).join('');
  return row;
}

function RowContent({ row }: { row: Row }) {
  switch (row.kind) {
    case 'user':
      return <UserMessage item={row.item} editable={row.editable} />;
    case 'sending':
      return (
        <>
          <MessageBody text={row.text} attachments={row.attachments} />
          <div className="line">
            <Mark icon="running" tone="run" />
            <span>{text.phases.sending}</span>
          </div>
        </>
      );
    case 'thinking':
      return <ThinkingLine item={row.item} />;
    case 'text':
      return (
        <>
          <MarkdownBlocks blocks={row.part.blocks} writing={row.writing} continued={row.continued} />
          {row.plain && <QuietLine icon="info">{text.plainText}</QuietLine>}
          {row.cutOff && <QuietLine icon="cut">{text.cut}</QuietLine>}
          {row.whole && <CopyAnswer item={row.whole} />}
        </>
      );
    case 'note':
      return <NoteEntry item={row.item} />;
    case 'tools':
      return <ToolGroup entries={row.entries} nested={row.inside !== undefined} />;
    case 'calls':
      return <FoldedCalls entries={row.entries} open={row.open} nested={row.inside !== undefined} />;
    case 'agent':
      return <AgentRow item={row.item} open={row.open} />;
    case 'approval':
      return (
        row.item.approval && <ApprovalCard item={row.item} approval={row.item.approval} asker={row.asker} />
      );
    case 'plan':
      return <PlanCard item={row.item} now={row.now} stage={row.stage} />;
    case 'summary':
      return <SummaryCard item={row.item} undoable={row.undoable} />;
    case 'switch':
      return <SwitchCard item={row.item} />;
    case 'stopped':
      // Its card says that it was stopped, and the turn goes on.
      if (row.inside !== undefined) {
        return <QuietLine icon="stopped">{text.stopped.title(stopTimes(row.item).restMs)}</QuietLine>;
      }
      return <StoppedCard item={row.item} ran={row.ran} last={row.last} />;
    case 'error':
      if (row.inside !== undefined) {
        return <QuietLine icon="failed">{`${row.item.message} ${row.item.advice}`.trim()}</QuietLine>;
      }
      return <ErrorCard item={row.item} last={row.last} />;
    case 'outcome':
      return <OutcomeCard turn={row.turn} last={row.last} />;
    case 'progress':
      return <Progress turn={row.turn} begun={row.begun} />;
    case 'changes':
      return <TurnChanges turnId={row.turnId} edits={row.edits} offered={row.offered} />;
    case 'receipt':
      return <Receipt turn={row.turn} />;
    case 'earlier':
      return <EarlierVersion firstTurnId={row.firstTurnId} messages={row.messages} />;
    case 'again':
      return <AnswerActions turnId={row.turnId} />;
  }
}
