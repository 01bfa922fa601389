import type { Approval, CommandRule, HostScope, ToolItem, UndoCoverage } from '../../../protocol/model.ts';
import { clock } from '../../formats.ts';
import { changedFiles, transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { toolVerb } from '../../components/tool-verb.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { AskedCall } from './asked-call.tsx';
import { CommandDraft } from './command-draft.tsx';
import { ForeignQuoteView } from './quoted-source.tsx';
import { wordsOfRule } from '../../components/words-of-rule.ts';
import { useApprovalAnswer } from './use-approval-answer.ts';
import styles from './approval.module.css';
import cardStyles from './card.module.css';

const frame = `${cardStyles.card} ${cardStyles.waits} ${styles.approval}`;

interface ApprovalCardProps {
  item: ToolItem;
  approval: Approval;
  /** The profile of the subagent that asks; null = the agent itself. */
  asker?: string | null;
}

export function ApprovalCard({ item, approval, asker = null }: ApprovalCardProps) {
  const { mac } = useCommands();
  const { card, answered, closed, call, draft, opened, refusal, reply, unread, ...acts } = useApprovalAnswer(
    approval,
    item.decision !== null,
  );
  const { answer, allowAsWritten, edit, revert } = acts;
  const { editable } = approval;
  const edits = draft !== undefined;

  return (
    <section ref={card} className={frame} aria-label={text.approval.label} tabIndex={-1}>
      <ApprovalHead item={item} approval={approval} answered={answered} />
      <div className={`${cardStyles.body} ${styles.words}`}>
        {edits ? (
          <CommandDraft
            text={draft}
            opened={opened}
            disabled={answered}
            refusal={refusal}
            onChange={acts.write}
            onSeen={acts.setDraftSeen}
          />
        ) : (
          <AskedCall item={item} approval={approval} sight={call} />
        )}
        {approval.quote && <ForeignQuoteView quote={approval.quote} />}
        <ApprovalFacts item={item} approval={approval} asker={asker} />
        {reply === null && (
          <div className="acts">
            <Button
              kind="primary"
              keys={edits ? keyCaps('Mod+Enter', mac) : [text.approval.allowKey]}
              disabled={closed || draft?.trim() === ''}
              onClick={edits ? allowAsWritten : () => answer('allow')}
            >
              {edits && draft !== editable?.text
                ? text.approval.allowEdited
                : text.approval[approval.untilTurnEnds ? 'allowForTurn' : 'allowOnce']}
            </Button>
            <Button
              keys={edits ? undefined : [text.approval.declineKey]}
              disabled={answered}
              onClick={() => answer('deny')}
            >
              {text.approval.decline}
            </Button>
            {!edits && approval.grant && (
              <Button
                kind="quiet"
                disabled={closed}
                title={approval.grant.folder ?? undefined}
                onClick={() => answer('allow', { scope: 'session' })}
              >
                {text.approval.allowSession(approval.grant.tool, approval.grant.shown)}
              </Button>
            )}
            {!edits && (
              <Button
                kind="quiet"
                keys={[text.approval.replyKey]}
                disabled={answered}
                onClick={() => acts.setReply('')}
              >
                {text.approval.reply}
              </Button>
            )}
            {editable && (
              <Button
                kind="quiet"
                keys={[edits ? text.approval.takeBackKey : text.approval.editKey]}
                disabled={answered}
                onClick={edits ? revert : edit}
              >
                {edits ? text.approval.takeBack : text.approval.edit}
              </Button>
            )}
            <span className="grow" />
            <Hint approval={approval} edits={edits} unread={unread} />
          </div>
        )}
        {reply !== null && (
          <DeclineReply
            text={reply}
            disabled={answered}
            onChange={acts.setReply}
            onSend={acts.declineWith}
            onBack={acts.leaveReply}
          />
        )}
        {reply === null && !edits && (
          <AllowedForGood approval={approval} disabled={closed} onAllow={(wider) => answer('allow', wider)} />
        )}
      </div>
    </section>
  );
}

function ApprovalHead({ item, approval, answered }: ApprovalCardProps & { answered: boolean }) {
  const waited = useElapsed(answered ? null : approval.requestedAt);
  // It has run already, and its sandbox refused it something.
  const isSecond = item.sandboxed === true && !approval.sandboxed;
  const title = approval.host ? text.approval.hostTitle : text.approval.titles[approval.risk];
  const isCommand = approval.risk === 'execute' || (approval.host !== undefined && approval.sandboxed);
  return (
    <div className={`${cardStyles.row} ${cardStyles.waits} ${styles.head}`}>
      <Mark icon="wait" tone="wait" />
      <span className={cardStyles.verb}>{toolVerb(item.tool)}</span>
      <h2 className="cut strong">{isSecond ? text.approval.outside : title}</h2>
      {isCommand ? <Sandbox sandboxed={approval.sandboxed} /> : <span />}
      <span className={cardStyles.figure}>{clock(waited)}</span>
    </div>
  );
}

interface AllowedForGoodProps {
  approval: Approval;
  disabled: boolean;
  onAllow: (wider: { rule: CommandRule } | { hostScope: HostScope }) => void;
}

/** Yes to more than this once: to what a button says, in this folder, or for this session. */
function AllowedForGood({ approval, disabled, onAllow }: AllowedForGoodProps) {
  const { host } = approval;
  const [rules, scopes] = [approval.rules ?? [], host?.scopes ?? []];
  if (rules.length === 0 && scopes.length === 0) return null;
  return (
    <div className="acts">
      <span className="meta">{host ? text.approval.alsoHost : text.approval.always}</span>
      {rules.map((rule) => (
        <Button
          key={wordsOfRule(rule)}
          label={`${text.approval.always} ${wordsOfRule(rule)}`}
          disabled={disabled}
          title={text.approval.alwaysHelp(rule.isExact)}
          onClick={() => onAllow({ rule })}
        >
          <span className="mono">{wordsOfRule(rule)}</span>
        </Button>
      ))}
      {scopes.map((hostScope) => (
        <Button
          key={hostScope}
          label={`${text.approval.alsoHost} ${text.approval.hostScopes[hostScope]}`}
          disabled={disabled}
          title={text.approval.hostScopeHelp[hostScope]}
          onClick={() => onAllow({ hostScope })}
        >
          {text.approval.hostScopes[hostScope]}
        </Button>
      ))}
    </div>
  );
}

interface DeclineReplyProps {
  text: string;
  disabled: boolean;
  onChange: (written: string) => void;
  onSend: () => void;
  onBack: () => void;
}

/** What the person says with a no, which the model reads. */
function DeclineReply({ text: written, disabled, onChange, onSend, onBack }: DeclineReplyProps) {
  const field = useFocusAtEnd();
  return (
    <>
      <textarea
        ref={field}
        rows={2}
        className="input"
        aria-label={text.approval.replyField}
        placeholder={text.approval.replyField}
        maxLength={4_000}
        value={written}
        readOnly={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="acts">
        <Button kind="primary" keys={[text.approval.allowKey]} disabled={disabled} onClick={onSend}>
          {text.approval.declineSaid}
        </Button>
        <Button kind="quiet" keys={[text.approval.takeBackKey]} onClick={onBack}>
          {text.approval.replyBack}
        </Button>
      </div>
    </>
  );
}

function ApprovalFacts({ item, approval, asker = null }: ApprovalCardProps) {
  const { why, where, mutates, undo, sandboxed, host } = approval;
  return (
    <dl className={cardStyles.facts}>
      {asker !== null && <Fact name={text.approval.asker} value={text.approval.subagent(asker)} />}
      {host && (
        <Fact name={sandboxed ? text.approval.field : toolVerb(item.tool)} value={item.subject} mono />
      )}
      <Fact name={text.approval.why} value={why} />
      <Fact name={text.approval.where} value={where} mono />
      {!host && <Fact name={text.approval.changes} value={mutates || text.approval.nothing} />}
      {undo && <Fact name={text.approval.undo} value={coverage(undo, sandboxed)} />}
    </dl>
  );
}

const coverage = (undo: UndoCoverage, isKept: boolean): string =>
  undo.kind === 'none' ? changedFiles.notCovered[undo.problem] : changedFiles.covered(undo, isKept);

function Fact({ name, value, mono = false }: { name: string; value: string; mono?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? 'mono' : undefined}>
        <VisibleText text={value} oneLine />
      </dd>
    </>
  );
}

interface HintProps {
  approval: Approval;
  edits: boolean;
  /** The part of the call that was not seen yet. */
  unread: 'start' | 'end' | null;
}

function Hint({ approval: { risk, scopes, rules }, edits, unread }: HintProps) {
  if (unread) {
    return <span className="meta">{text.approval[unread === 'start' ? 'readFromStart' : 'readFirst']}</span>;
  }
  if (edits) return <span className="meta">{text.approval.editHelp}</span>;
  const once = risk === 'execute' && !scopes.includes('session') && !rules;
  return once && <span className="meta">{text.approval.onceOnly}</span>;
}

function Sandbox({ sandboxed }: { sandboxed: boolean }) {
  return (
    <span className={sandboxed ? 'st' : 'st warn'}>
      <Icon name={sandboxed ? 'shield' : 'bare'} />
      {sandboxed ? text.sandboxed : text.notSandboxed}
    </span>
  );
}
