import { useEffect, useRef, useState } from 'react';
import type { Approval, ApprovalDecision, ToolItem } from '../../../protocol/model.ts';
import { clock } from '../../../text/format.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { DiffView } from '../../components/diff-view.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { toolVerb } from '../../components/tool-verb.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { useUi } from '../../stores/stores.ts';

/** Keys pressed this soon after the card appeared were meant for something else. */
const deafMs = 400;

interface ApprovalCardProps {
  item: ToolItem;
  approval: Approval;
  /** The profile of the subagent that asks; null = the agent itself. */
  asker?: string | null;
}

export function ApprovalCard({ item, approval, asker = null }: ApprovalCardProps) {
  const { run } = useCommands();
  const [answered, setAnswered] = useState(item.decision !== null);
  const [shownAt] = useState(() => Date.now());
  const card = useFocusWhenAsked();
  const preview = item.display?.kind === 'diff' ? item.display : null;
  const waited = useElapsed(answered ? null : approval.requestedAt);

  const send = async (decision: ApprovalDecision, scope: 'once' | 'session'): Promise<void> => {
    const told = await run('approval/answer', { approvalId: approval.id, decision, scope });
    if (!told) setAnswered(false);
  };
  const answer = (decision: ApprovalDecision, scope: 'once' | 'session' = 'once'): void => {
    if (answered) return;
    setAnswered(true);
    void send(decision, scope);
  };
  useKeyDown(card, (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const allow = event.key === 'Enter' && event.target === card.current;
    if (!allow && event.key.toLowerCase() !== 'd') return;
    event.preventDefault();
    if (Date.now() - shownAt >= deafMs) answer(allow ? 'allow' : 'deny');
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
        {preview ? (
          <div className="asked">
            <p className="mono cut">{approval.summary}</p>
            <DiffView diff={preview} label={preview.path} />
          </div>
        ) : (
          <pre className="code asked">{approval.summary}</pre>
        )}
        <dl className="facts">
          {asker !== null && (
            <>
              <dt>{text.approval.asker}</dt>
              <dd>{text.approval.subagent(asker)}</dd>
            </>
          )}
          <dt>{text.approval.why}</dt>
          <dd>{approval.why}</dd>
          <dt>{text.approval.where}</dt>
          <dd className="mono">{approval.where}</dd>
          <dt>{text.approval.risk}</dt>
          <dd>{text.approval.risks[approval.risk]}</dd>
          <dt>{text.approval.changes}</dt>
          <dd>{approval.mutates || text.approval.nothing}</dd>
        </dl>
        <div className="acts">
          <Button
            kind="primary"
            keys={[text.approval.allowKey]}
            disabled={answered}
            onClick={() => answer('allow')}
          >
            {text.approval.allowOnce}
          </Button>
          <Button keys={[text.approval.declineKey]} disabled={answered} onClick={() => answer('deny')}>
            {text.approval.decline}
          </Button>
          {approval.scopes.includes('session') && (
            <Button kind="quiet" disabled={answered} onClick={() => answer('allow', 'session')}>
              {text.approval.allowSession}
            </Button>
          )}
          <span className="grow" />
          {approval.risk === 'execute' && !approval.sandboxed && !approval.scopes.includes('session') && (
            <span className="meta">{text.approval.onceOnly}</span>
          )}
        </div>
      </div>
    </section>
  );
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
 * Takes the keyboard when it appears, unless the person is writing: an answer must never come from
 * a key that was meant for the message box.
 */
function useFocusWhenAsked() {
  const card = useRef<HTMLElement>(null);
  const focus = useUi((ui) => ui.focus);
  const firstFocus = useRef(focus);
  useEffect(() => {
    const active = document.activeElement;
    const writing =
      (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== '';
    const busy = active !== null && active.closest('[role=menu], [role=alertdialog], [role=dialog]') !== null;
    if (!writing && !busy) card.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (focus !== firstFocus.current && focus.target === 'approval') card.current?.focus();
  }, [focus]);
  return card;
}
