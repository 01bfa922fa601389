import { memo } from 'react';
import { transcript as text } from '../../text.ts';
import { Place } from '../../components/code/wrapped.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { SourcesContext } from '../../components/markdown/citations.tsx';
import { MarkdownBlocks } from '../../components/markdown/markdown.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { FormCard } from './form-card.tsx';
import { ApprovalCard } from './approval-card.tsx';
import type { Row, GroupEntry } from './rows.ts';
import { AgentRow } from './agent-row.tsx';
import { ErrorCard, OutcomeCard, QuietLine, SwitchCard } from './cards.tsx';
import { NoteEntry } from './notes.tsx';
import { partOf, PlanCard, StepsCard } from './plan-card.tsx';
import { ProposedPlan } from './proposed-plan.tsx';
import { Progress } from './progress.tsx';
import { stopTimes } from '../../stores/figures.ts';
import { StoppedCard } from './stopped-card.tsx';
import { ThinkingLine } from './thinking.tsx';
import { ToolGroup } from './tool-group.tsx';
import { TurnFoot } from './turn-foot.tsx';
import { TurnChanges } from './turn-changes.tsx';
import { SourceList } from './source-list.tsx';
import { TurnFiles } from './turn-files.tsx';
import { ScopeLine } from './scope-line.tsx';
import { Unshown } from './unshown.tsx';
import { MessageBody, UserMessage } from './user-message.tsx';
import { WorkLine } from './work-line.tsx';
import type { ItemOf } from '../../../protocol/model.ts';
import { Icon } from '../../components/icon.tsx';
import { earlierKey } from './earlier-versions.ts';
import { useExpanded } from './use-expanded.ts';
import { toolVerb } from '../../components/tool-verb.ts';
import { countCalls, foldKey } from './fold-calls.ts';
import { Button } from '../../components/button.tsx';
import { Card } from './card.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { useLanguage } from '../../components/language.ts';
import styles from './plan.module.css';
import cardStyles from './card.module.css';
import transcriptStyles from './transcript.module.css';

/** One row of the transcript; rendered again only when its own data changed. One that cannot be drawn leaves the others. */
export const RowView = memo(({ row }: { row: Row }) => {
  useLanguage();
  return (
    <ErrorBoundary
      subject={row}
      renderFailure={(reason) => (
        <section className={cardStyles.card}>
          <Unshown item={stored(row)} reason={reason} />
        </section>
      )}
    >
      <Place name={row.key}>
        <RowContent row={row} />
      </Place>
    </ErrorBoundary>
  );
});
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
      return <UserMessage item={row.item} editable={row.editable} sender={row.sender} />;
    case 'scope':
      return <ScopeLine turnId={row.turnId} scope={row.scope} offered={row.offered} />;
    case 'sending':
      return (
        <>
          <MessageBody text={row.text} attachments={row.attachments} />
          {!row.begun && (
            <div className={transcriptStyles.line}>
              <Mark icon="running" tone="run" />
              <span>{text.phases.sending}</span>
            </div>
          )}
        </>
      );
    case 'thinking':
      return <ThinkingLine item={row.item} />;
    case 'text':
      return (
        <SourcesContext value={row.sources}>
          <MarkdownBlocks blocks={row.part.blocks} writing={row.writing} continued={row.continued} />
          {row.plain && <QuietLine icon="info">{text.plainText}</QuietLine>}
          {row.cutOff && <QuietLine icon="cut">{text.cut}</QuietLine>}
        </SourcesContext>
      );
    case 'note':
      return <NoteEntry item={row.item} />;
    case 'tools':
      return <ToolGroup entries={row.entries} nested={isNested(row)} />;
    case 'calls':
      return <FoldedCalls entries={row.entries} open={row.open} nested={isNested(row)} />;
    case 'agent':
      return <AgentRow item={row.item} open={row.open} />;
    case 'approval':
      return (
        row.item.approval &&
        (row.item.approval.form ? (
          <FormCard
            key={row.item.approval.id}
            item={row.item}
            approval={row.item.approval}
            form={row.item.approval.form}
          />
        ) : (
          <ApprovalCard
            key={row.item.approval.id}
            item={row.item}
            approval={row.item.approval}
            asker={row.asker}
          />
        ))
      );
    case 'plan':
      return row.item.proposed && row.item.steps.length > 0 ? (
        <ProposedPlan item={row.item} />
      ) : (
        <PlanCard item={row.item} now={row.now} inner={row.inner} stage={row.stage} part={partOf(row)} />
      );
    case 'steps':
      return <StepsCard steps={row.steps} inner={row.inner} stage={row.stage} part={partOf(row)} />;
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
    case 'files':
      return <TurnFiles files={row.files} />;
    case 'sources':
      return <SourceList sources={row.sources} />;
    case 'changes':
      return <TurnChanges turnId={row.turnId} edits={row.edits} offered={row.offered} />;
    case 'work':
      return <WorkLine row={row} />;
    case 'earlier':
      return <EarlierVersion firstTurnId={row.firstTurnId} messages={row.messages} />;
    case 'foot':
      return <TurnFoot row={row} />;
  }
}

const isNested = ({ inside, inPlan }: Row): boolean => inside !== undefined || inPlan !== undefined;

/** Turns that another version has replaced: one line that opens them. */
function EarlierVersion({ firstTurnId, messages }: { firstTurnId: string; messages: number }) {
  const [open, toggle] = useExpanded(earlierKey(firstTurnId), false);
  return (
    <button type="button" className={transcriptStyles.line} aria-expanded={open} onClick={toggle}>
      <Icon name={open ? 'down' : 'right'} />
      <span>{text.earlier(messages)}</span>
    </button>
  );
}

interface FoldedCallsProps {
  entries: GroupEntry[];
  open: boolean;
  nested: boolean;
}

/** A stretch of a long run of calls in one line: what was called and what failed; the calls follow when it is open. */
function FoldedCalls({ entries, open, nested }: FoldedCallsProps) {
  const [, toggle] = useExpanded(foldKey(entries[0]?.id ?? ''), false);
  const { tools, failed } = countCalls(entries);
  const calls = tools.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={nested ? cardStyles.nested : cardStyles.card}>
      <button
        type="button"
        className={`${cardStyles.row} ${cardStyles.plain}`}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={open ? 'down' : 'right'} />
        <span className="cut t2">
          <span className="medium">{text.folded.calls(calls)}</span>:{' '}
          {tools.map(([tool, count]) => text.folded.of(count, toolVerb(tool))).join(', ')}
        </span>
        {failed > 0 && (
          <span className={cardStyles.figure}>
            <span className="fail">{text.folded.failed(failed)}</span>
          </span>
        )}
      </button>
    </div>
  );
}

/** Older turns were summarised: what it saved, what the model reads now, and the way back. */
function SummaryCard({ item, undoable }: { item: ItemOf<'summary'>; undoable: boolean }) {
  const { run } = useCommands();
  const busy = useSession(isBusy);
  const [open, toggle] = useExpanded(item.id, false);
  const { beforeTokens, afterTokens, undone, by } = item;
  return (
    <Card label={text.summary.title}>
      <div className={`${cardStyles.row} ${cardStyles.plain} ${cardStyles.summary}`}>
        <Icon name="fold" />
        <span className={styles.flexLine}>
          <span className="cut">
            <span className={undone ? 't2' : 'medium'}>{text.summary.title}:</span>{' '}
            <span className="num">{text.summary.tokens(beforeTokens, afterTokens)}</span>
          </span>
          <span className="meta">{undone ? text.summary.undone : text.summary.by[by]}</span>
        </span>
        <Button kind="quiet" small aria-expanded={open} onClick={toggle}>
          {open ? text.summary.hide : text.summary.show}
        </Button>
        {undoable && !undone && (
          <Button
            small
            icon="undo"
            disabled={busy}
            title={busy ? text.summary.busy : undefined}
            onClick={() => void run('compaction/undo', { itemId: item.id })}
          >
            {text.summary.undo}
          </Button>
        )}
      </div>
      {open && <p className={`${cardStyles.body} ${cardStyles.summaryText}`}>{item.text}</p>}
    </Card>
  );
}
