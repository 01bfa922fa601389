import { useContext, useEffect, useRef, useState } from 'react';
import type { Approval, ApprovalDecision, ToolItem } from '../../../protocol/model.ts';
import { clock } from '../../../text/format.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useSight, type Sight } from '../../components/sight.ts';
import { toolVerb } from '../../components/tool-verb.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { isComposing } from '../../components/composing.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { ErrorWords } from '../../commands/error-words.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { setCommandDraft } from '../../stores/ui-store.ts';
import { AskedCall } from './asked-call.tsx';
import { AtEndContext } from './at-end.ts';
import { CommandDraft } from './command-draft.tsx';

/** Keys pressed this soon after the card appeared were meant for something else. */
const deafMs = 400;

interface GivenAnswer {
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  /** The command as the person wrote it anew. */
  edited?: string;
}

interface ApprovalCardProps {
  item: ToolItem;
  approval: Approval;
  /** The profile of the subagent that asks; null = the agent itself. */
  asker?: string | null;
}

export function ApprovalCard({ item, approval, asker = null }: ApprovalCardProps) {
  const { run, mac } = useCommands();
  const { ui } = useStores();
  const [answered, setAnswered] = useState(item.decision !== null);
  const [shownAt] = useState(() => Date.now());
  const card = useFocusWhenAsked();
  const waited = useElapsed(answered ? null : approval.requestedAt);

  const { editable } = approval;
  const draft = useUi((state) => (editable ? state.commandDrafts[approval.id] : undefined));
  const edits = draft !== undefined;
  const [opened, setOpened] = useState(false);
  const call = useSight();
  const [draftSeen, setDraftSeen] = useState(false);
  // What nobody has seen to its end cannot be allowed.
  const closed = answered || !(edits ? draftSeen : call.seen);

  const [refusal, setRefusal] = useState<ErrorWords | null>(null);
  const onRefused = (why: ErrorWords): void => {
    setRefusal(why);
    setAnswered(false);
  };

  const send = async (given: GivenAnswer): Promise<void> => {
    const answered = await run('approval/answer', { approvalId: approval.id, onRefused, ...given });
    if (!answered) setAnswered(false);
  };
  const write = (text: string | null): void => {
    setRefusal(null);
    setCommandDraft(ui, approval.id, text);
  };
  const answer = (decision: ApprovalDecision, more: Partial<GivenAnswer> = {}): void => {
    if (decision === 'allow' ? closed : answered) return;
    setAnswered(true);
    void send({ decision, scope: 'once', ...more });
  };
  const allowAsWritten = (): void => {
    if (draft === undefined || draft.trim() === '') return;
    answer('allow', draft === editable?.text ? {} : { edited: draft });
  };
  const edit = (): void => {
    setOpened(true);
    write(editable?.text ?? null);
  };
  const takeBack = (): void => {
    write(null);
    card.current?.focus();
  };
  const actOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, target } = event;
    const chord = event.ctrlKey || event.metaKey;
    if (event.altKey || event.repeat || isComposing(event)) return undefined;
    if (edits && key === 'Escape') return takeBack;
    // A bare Enter would allow what is no longer shown.
    if (edits && chord && key === 'Enter') return allowAsWritten;
    // The letters of a command that is being written are no answers.
    if (chord || target instanceof HTMLTextAreaElement) return undefined;
    if (key.toLowerCase() === 'd') return () => answer('deny');
    if (edits) return undefined;
    if (key.toLowerCase() === 'e' && editable && !answered) return edit;
    // What is not in sight now is not what the person has in mind.
    const isMeant = target === card.current && call.whole;
    return key === 'Enter' && isMeant ? () => answer('allow') : undefined;
  };
  useKeyDown(card, (event) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    // Escape stops the turn where it takes no change back.
    event.stopPropagation();
    if (Date.now() - shownAt >= deafMs) act();
  });

  return (
    <section ref={card} className="log is-wait approval" aria-label={text.approval.label} tabIndex={-1}>
      <div className="row is-wait">
        <Mark icon="wait" tone="wait" />
        <span className="verb">{toolVerb(item.tool)}</span>
        <h2 className="cut strong">{text.approval.titles[approval.risk]}</h2>
        {approval.risk === 'execute' ? <Sandbox sandboxed={approval.sandboxed} /> : <span />}
        <span className="fig">{clock(waited)}</span>
      </div>
      <div className="body">
        {edits ? (
          <CommandDraft
            text={draft}
            opened={opened}
            disabled={answered}
            refusal={refusal}
            onChange={write}
            onSeen={setDraftSeen}
          />
        ) : (
          <AskedCall item={item} approval={approval} sight={call} />
        )}
        <dl className="facts">
          {asker !== null && (
            <>
              <dt>{text.approval.asker}</dt>
              <dd>
                <VisibleText text={text.approval.subagent(asker)} oneLine />
              </dd>
            </>
          )}
          <dt>{text.approval.why}</dt>
          <dd>
            <VisibleText text={approval.why} oneLine />
          </dd>
          <dt>{text.approval.where}</dt>
          <dd className="mono">
            <VisibleText text={approval.where} oneLine />
          </dd>
          <dt>{text.approval.risk}</dt>
          <dd>{text.approval.risks[approval.risk]}</dd>
          <dt>{text.approval.changes}</dt>
          <dd>
            <VisibleText text={approval.mutates || text.approval.nothing} oneLine />
          </dd>
        </dl>
        <div className="acts">
          <Button
            kind="primary"
            keys={edits ? keyCaps('Mod+Enter', mac) : [text.approval.allowKey]}
            disabled={closed || draft?.trim() === ''}
            onClick={edits ? allowAsWritten : () => answer('allow')}
          >
            {edits && draft !== editable?.text ? text.approval.allowEdited : text.approval.allowOnce}
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
          {editable && (
            <Button
              kind="quiet"
              keys={[edits ? text.approval.takeBackKey : text.approval.editKey]}
              disabled={answered}
              onClick={edits ? takeBack : edit}
            >
              {edits ? text.approval.takeBack : text.approval.edit}
            </Button>
          )}
          <span className="grow" />
          <Aside
            approval={approval}
            edits={edits}
            unread={answered ? null : unreadPart(call, edits ? draftSeen : call.seen)}
          />
        </div>
      </div>
    </section>
  );
}

function unreadPart(call: Sight, seen: boolean): AsideProps['unread'] {
  if (seen) return null;
  return call.hidesStart ? 'start' : 'end';
}

interface AsideProps {
  approval: Approval;
  edits: boolean;
  /** The part of the call that was not seen yet. */
  unread: 'start' | 'end' | null;
}

function Aside({ approval: { risk, sandboxed, scopes }, edits, unread }: AsideProps) {
  if (unread) {
    return <span className="meta">{text.approval[unread === 'start' ? 'readFromStart' : 'readFirst']}</span>;
  }
  if (edits) return <span className="meta">{text.approval.editHelp}</span>;
  const once = risk === 'execute' && !sandboxed && !scopes.includes('session');
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

/**
 * Takes the keyboard when it appears, unless the person is writing or reading further up: an answer must never come from
 * a key that was meant for the message box, nor for what nobody sees.
 */
function useFocusWhenAsked() {
  const card = useRef<HTMLElement>(null);
  const focus = useUi((ui) => ui.focus);
  const firstFocus = useRef(focus);
  const atEnd = useContext(AtEndContext);
  useEffect(() => {
    if (!atEnd()) return;
    const active = document.activeElement;
    const writing =
      (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== '';
    const busy = active !== null && active.closest('[role=menu], [role=alertdialog], [role=dialog]') !== null;
    if (!writing && !busy) card.current?.focus({ preventScroll: true });
  }, [atEnd]);
  useEffect(() => {
    if (focus !== firstFocus.current && focus.target === 'approval') card.current?.focus();
  }, [focus]);
  return card;
}
