/** A plan that nothing is done of before the person says so: its steps can be changed until then. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ApprovalMode, ItemOf, PlanStep } from '../../../protocol/model.ts';
import { maxPlanSteps, maxStepLength } from '../../../protocol/limits.ts';
import { waitingPlan } from '../../../rules/waiting-plan.ts';
import { composer, plan as planText } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Card } from './card.tsx';
import { isComposing } from '../../components/composing.ts';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuChoices } from '../../components/menu.tsx';
import { executorWords } from '../../components/plan-step.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { offeredApprovals } from '../../stores/approval-modes.ts';
import { isBusy } from '../../stores/derive.ts';
import {
  draftOf,
  moved,
  saidSteps,
  withNew,
  without,
  withText,
  type DraftStep,
} from '../../stores/plan-draft.ts';
import { useHost, useSession, useStores, useUi } from '../../stores/stores.ts';
import { setPlanDraft } from '../../stores/ui-store.ts';
import { useTarget } from '../../stores/use-target.ts';
import { PlanReasons } from './plan-reasons.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './plan.module.css';
import cardStyles from './card.module.css';

const text = planText.proposed;
type Chosen = Exclude<ApprovalMode, 'plan_only'>;

export function ProposedPlan({ item }: { item: ItemOf<'plan'> }) {
  const waits = useSession(({ state }) => state !== null && waitingPlan(state)?.id === item.id);
  const isTaken = useSession(
    ({ state }) => state?.turns.some((turn) => turn.plan?.itemId === item.id) ?? false,
  );
  const [open, toggle] = useExpanded(item.id, waits);
  return (
    <Card
      label={planText.label}
      className={waits ? `${cardStyles.card} ${cardStyles.waits}` : cardStyles.card}
    >
      <button
        type="button"
        className={`${cardStyles.row} ${cardStyles.plain} ${styles.planHead}`}
        aria-expanded={open}
        onClick={toggle}
      >
        {waits ? <Mark icon="wait" tone="wait" /> : <Icon name="plan" />}
        <span className={styles.flexLine}>
          <span className="strong">{planText.label}</span>
          <span className="meta num">{waits ? text.waits : isTaken ? text.taken : text.left}</span>
        </span>
        <Icon name={open ? 'down' : 'right'} />
      </button>
      {open && (waits ? <WaitingPlan item={item} /> : <PlannedSteps steps={item.steps} />)}
      {open && <PlanReasons item={item} />}
    </Card>
  );
}

function PlannedSteps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol className={styles.prows}>
      {steps.map((step, index) => (
        <li key={step.id} className={`${styles.prow} ${styles.proposed}`}>
          <span className={styles.number}>{index + 1}</span>
          <span className={styles.words}>{step.text}</span>
        </li>
      ))}
    </ol>
  );
}

function WaitingPlan({ item }: { item: ItemOf<'plan'> }) {
  const { ui } = useStores();
  const { run, mac } = useCommands();
  const draft = useUi(({ planDrafts }) => planDrafts[item.id]);
  const steps = draft ?? draftOf(item.steps);
  const busy = useSession(isBusy);
  const { mode, offered, choose } = useChosenMode();
  const [sent, setSent] = useState(false);
  const said = saidSteps(steps);
  const why = busy ? text.busy : said.length === 0 ? text.empty : undefined;
  const approve = async (): Promise<void> => {
    if (why !== undefined || sent) return;
    setSent(true);
    const isTaken = await run('plan/approve', { itemId: item.id, steps: said, approvals: mode });
    if (!isTaken) setSent(false);
  };
  return (
    <>
      <DraftSteps
        steps={steps}
        planned={item.steps}
        onChange={(next) => setPlanDraft(ui, item.id, next)}
        onApprove={() => void approve()}
      />
      <div className={`${cardStyles.body} ${styles.planFoot}`}>
        <p className="meta">{text.note}</p>
        <div className="acts">
          <Button
            kind="primary"
            keys={[mac ? text.approveKeyMac : text.approveKey]}
            disabled={why !== undefined || sent}
            title={why}
            onClick={() => void approve()}
          >
            {text.approve}
          </Button>
          <Menu trigger={<ModeButton mode={mode} />}>
            <MenuChoices
              heading={text.modes}
              value={mode}
              choices={offered.map((each) => ({
                value: each,
                label: composer.approvals.names[each],
                help: composer.approvals.help[each],
              }))}
              onChoose={choose}
            />
          </Menu>
          {draft && (
            <Button kind="quiet" icon="undo" onClick={() => setPlanDraft(ui, item.id, null)}>
              {text.restore}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

function ModeButton({ mode, ...trigger }: { mode: ApprovalMode }) {
  const name = composer.approvals.names[mode];
  return (
    <Button icon="shield" label={text.mode(name)} {...trigger}>
      {name}
      <Icon name="down" />
    </Button>
  );
}

/** As the profile has it, until another is chosen. */
function useChosenMode() {
  const isSandboxed = useHost((host) => host.defaults?.isSandboxed ?? false);
  const { profile } = useTarget();
  const [chosen, choose] = useState<Chosen | null>(null);
  const offered = offeredApprovals(isSandboxed).filter((each): each is Chosen => each !== 'plan_only');
  return { mode: chosen ?? profile?.approvals ?? 'auto_read', offered, choose };
}

interface DraftStepsProps {
  steps: readonly DraftStep[];
  planned: readonly PlanStep[];
  onChange: (steps: readonly DraftStep[]) => void;
  onApprove: () => void;
}

function DraftSteps({ steps, planned, onChange, onApprove }: DraftStepsProps) {
  const list = useRef<HTMLOListElement>(null);
  /** The step whose field takes the keyboard once it is drawn. */
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(wanted.current)}"]`)?.focus();
    wanted.current = null;
  });
  const isFull = steps.length >= maxPlanSteps;
  const add = (after: string | null): void => {
    if (isFull) return;
    const next = withNew(steps, after);
    wanted.current = next.key;
    onChange(next.steps);
  };
  const remove = (key: string): void => {
    const at = steps.findIndex((step) => step.key === key);
    wanted.current = (steps[at + 1] ?? steps[at - 1])?.key ?? null;
    onChange(without(steps, key));
  };
  const move = (key: string, by: -1 | 1): void => {
    wanted.current = key;
    onChange(moved(steps, key, by));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, { key, text: words }: DraftStep): void => {
    if (isComposing(event.nativeEvent)) return;
    const chord = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && chord) onApprove();
    else if (event.key === 'Enter') add(key);
    else if (event.altKey && event.key === 'ArrowUp') move(key, -1);
    else if (event.altKey && event.key === 'ArrowDown') move(key, 1);
    else if (event.key === 'Backspace' && words === '' && steps.length > 1) remove(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <ol className={styles.prows} ref={list}>
        {steps.map((step, index) => (
          <li key={step.key} className={`${styles.prow} ${styles.draft}`}>
            <span className={styles.number}>{index + 1}</span>
            <textarea
              rows={1}
              className={styles.stepField}
              data-step={step.key}
              aria-label={text.step(index + 1)}
              dir="auto"
              maxLength={maxStepLength}
              value={step.text}
              onChange={(event) =>
                onChange(withText(steps, step.key, event.target.value.replaceAll('\n', ' ')))
              }
              onKeyDown={(event) => onKeyDown(event, step)}
            />
            <span className={`${styles.ex} cut`}>{executorOf(planned, step)}</span>
            <span className={styles.stepActs}>
              <IconButton
                icon="up"
                label={text.up(index + 1)}
                disabled={index === 0}
                onClick={() => move(step.key, -1)}
              />
              <IconButton
                icon="below"
                label={text.down(index + 1)}
                disabled={index === steps.length - 1}
                onClick={() => move(step.key, 1)}
              />
              <IconButton icon="x" label={text.remove(index + 1)} onClick={() => remove(step.key)} />
            </span>
          </li>
        ))}
      </ol>
      <div className={styles.planAdd}>
        <Button
          kind="quiet"
          small
          icon="plus"
          disabled={isFull}
          title={isFull ? text.full(maxPlanSteps) : undefined}
          onClick={() => add(null)}
        >
          {text.add}
        </Button>
      </div>
    </>
  );
}

function executorOf(planned: readonly PlanStep[], { id }: DraftStep): string {
  const step = planned.find((each) => each.id === id);
  return step ? executorWords(step) : '';
}
