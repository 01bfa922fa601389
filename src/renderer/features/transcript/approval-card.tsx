import { useRef, type Ref } from 'react';
import type { Approval, ToolItem } from '../../../protocol/model.ts';
import { transcript } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import type { Diff } from '../../components/diff-lines.ts';
import { DiffCount } from '../../components/diff-view.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { ApprovalScope, isCommand } from './approval-scope.tsx';
import { Around, AskCard } from './ask-card.tsx';
import { AskedCall, askedOf, ShowAll, type Asked } from './asked-call.tsx';
import { CommandDraft } from './command-draft.tsx';
import { lastingAnswers } from './lasting-answers.ts';
import { ForeignQuoteView } from './quoted-source.tsx';
import {
  useAnswerKeys,
  useApprovalAnswer,
  useFocusWhenAsked,
  type ApprovalAnswer,
} from './use-approval-answer.ts';
import styles from './approval.module.css';

const text = transcript.approval;

interface ApprovalCardProps {
  item: ToolItem;
  approval: Approval;
  /** The profile of the subagent that asks; null = the agent itself. */
  asker?: string | null;
}

export function ApprovalCard({ item, approval, asker = null }: ApprovalCardProps) {
  const { card, takenFrom } = useFocusWhenAsked();
  const replyField = useRef<HTMLTextAreaElement>(null);
  const answer = useApprovalAnswer(approval, item.decision !== null, card);
  useAnswerKeys({ card, takenFrom, replyField, approval, answer });
  const { draft, answered } = answer;
  const { quote } = approval;
  const asked = askedOf(item, approval);
  return (
    <AskCard
      ref={card}
      label={text.label}
      title={<Title item={item} approval={approval} isChanged={answer.isChanged} />}
      about={<About asked={asked} asker={asker} />}
    >
      {draft === undefined ? (
        <AskedCall
          asked={asked}
          sight={answer.call}
          open={answer.open}
          onEdit={approval.editable && !answered ? answer.edit : undefined}
        />
      ) : (
        <CommandDraft
          text={draft}
          original={answer.isChanged ? (approval.editable?.text ?? '') : null}
          opened={answer.opened}
          disabled={answered}
          refusal={answer.refusal}
          onChange={answer.write}
          onSeen={answer.setDraftSeen}
        />
      )}
      {quote && <ForeignQuoteView quote={quote} />}
      <ApprovalScope approval={approval} isFile={asked.diff !== null} />
      <Acts approval={approval} answer={answer} showAll={asked.showAll} />
      <Reply ref={replyField} answer={answer} />
    </AskCard>
  );
}

interface TitleProps {
  item: ToolItem;
  approval: Approval;
  isChanged: boolean;
}

function Title({ item, approval, isChanged }: TitleProps) {
  const { host, risk, sandboxed, tool } = approval;
  if (isChanged) return text.edited;
  if (host) {
    return (
      <Around words={isCommand(approval) ? text.host : text.page}>
        <VisibleText text={host.name} oneLine />
      </Around>
    );
  }
  if (item.display?.kind === 'diff') {
    return (
      <Around words={text.files[fileChange(item.display, tool)]}>
        <VisibleText text={item.display.path} oneLine />
      </Around>
    );
  }
  if (tool === 'tool_call') {
    return (
      <Around words={text.service}>
        <VisibleText text={item.subject.split('.')[0] ?? ''} oneLine />
      </Around>
    );
  }
  if (risk !== 'execute' || sandboxed) return text.titles[risk];
  // It has run already, and its sandbox refused it something.
  return item.sandboxed === true ? text.again : text.unsandboxed;
}

const fileChange = ({ created }: Diff, tool: string) =>
  created ? 'create' : tool === 'edit_file' ? 'change' : 'replace';

function About({ asked: { diff, lines }, asker }: { asked: Asked; asker: string | null }) {
  return (
    <>
      {asker !== null && <VisibleText text={text.subagent(asker)} oneLine />}
      {diff ? <DiffCount {...diff} /> : lines > 3 && <span>{text.lines(lines)}</span>}
    </>
  );
}

interface ActsProps {
  approval: Approval;
  answer: ApprovalAnswer;
  /** What the button says that opens all of the call. */
  showAll: string;
}

function Acts({ approval, answer, showAll }: ActsProps) {
  const { mac } = useCommands();
  const { draft, closed, answered, hidesMore, isReplying, allow } = answer;
  const edits = draft !== undefined;
  const allowWords = text[approval.untilTurnEnds ? 'allowForTurn' : 'allowOnce'];
  // One key, one meaning: with words in the field it sends these, and it allows only what is all in sight.
  const enter = isReplying || !answer.call.whole ? undefined : [text.allowKey];
  return (
    <div className="acts">
      {!edits && (
        <ShowAll wanted={hidesMore} kind="primary" keys={[text.allowKey]} onClick={answer.showMore}>
          {answer.open ? text.showRest : showAll}
        </ShowAll>
      )}
      <Button
        kind={(!edits && hidesMore) || isReplying ? 'plain' : 'primary'}
        keys={edits ? keyCaps('Mod+Enter', mac) : enter}
        disabled={closed || draft?.trim() === ''}
        onClick={edits ? answer.allowAsWritten : () => allow()}
      >
        {answer.isChanged ? text.allowEdited : allowWords}
      </Button>
      {edits && (
        <Button keys={[text.takeBackKey]} disabled={answered} onClick={answer.revert}>
          {text.takeBack}
        </Button>
      )}
      {!edits &&
        !hidesMore &&
        lastingAnswers(approval).map(({ words, command, help, given }, at) => (
          <Button
            key={command ?? words[0]}
            className={styles.lasting}
            keys={at === 0 && enter ? keyCaps('Shift+Enter', mac) : undefined}
            disabled={closed}
            title={help}
            onClick={() => allow(given)}
          >
            <Around words={words}>{command}</Around>
          </Button>
        ))}
      <Hint approval={approval} answer={answer} />
    </div>
  );
}

function Hint({ approval, answer: { unread, draft } }: Omit<ActsProps, 'showAll'>) {
  const { risk, rules, sandboxed } = approval;
  const once = risk === 'execute' && !rules;
  const words = unread
    ? text[unread === 'start' ? 'readFromStart' : 'readFirst']
    : draft !== undefined
      ? text.editHelp
      : once && text[sandboxed ? 'onceOnly' : 'onceBare'];
  return words && <span className="meta">{words}</span>;
}

/** A no, and what the person says with it, which the model reads. */
function Reply({ ref, answer }: { ref: Ref<HTMLTextAreaElement>; answer: ApprovalAnswer }) {
  const { answered, reply, isReplying, decline } = answer;
  return (
    <div className={`input ${styles.reply}`}>
      <textarea
        ref={ref}
        rows={1}
        aria-label={text.reply}
        placeholder={text.reply}
        maxLength={4_000}
        value={reply}
        readOnly={answered}
        onChange={(event) => answer.setReply(event.target.value)}
      />
      <Button
        small
        kind={isReplying ? 'primary' : 'plain'}
        keys={[isReplying ? text.allowKey : text.declineKey]}
        disabled={answered}
        onClick={decline}
      >
        {isReplying ? text.declineSaid : text.decline}
      </Button>
    </div>
  );
}
