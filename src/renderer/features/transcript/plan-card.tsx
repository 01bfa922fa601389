/** The plan of a turn: its steps tick from the todo list, with what proves them. */
import type { ItemOf, PlanStep } from '../../../protocol/model.ts';
import { plan as text } from '../../text.ts';
import { Card } from './card.tsx';
import { Icon } from '../../components/icon.tsx';
import {
  executorWords,
  isUnproved,
  StepMark,
  stepWords,
  withCurrent,
  type PlanStage,
} from '../../components/plan-step.tsx';
import { PlanStepMenu } from '../../components/plan-step-menu.tsx';
import { useCommands } from '../../commands/commands.ts';
import { PlanReasons } from './plan-reasons.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './plan.module.css';
import cardStyles from './card.module.css';

interface PlanCardProps {
  item: ItemOf<'plan'>;
  /** How far the steps are, in the order of the item's; null = no longer in the list. */
  now: (PlanStep | null)[];
  /** Steps that subagents made of them. */
  inner?: readonly PlanStep[];
  stage: PlanStage;
}

const none: readonly PlanStep[] = [];

export function PlanCard({ item, now, inner = none, stage }: PlanCardProps) {
  const done = now.filter((step) => step?.status === 'done').length;
  const ended = now.length > 0 && now.every((step) => step === null || isOver(step));
  const replaced = now.length > 0 && now.every((step) => step === null);
  // It folds to its head when there is nothing left to watch.
  const [open, toggle] = useExpanded(item.id, item.problem !== undefined || (stage !== 'over' && !ended));
  const current = withCurrent(now, stage).find((step) => step?.status === 'in_progress');
  const label = isOfHost(item) ? text.steps : text.label;
  return (
    <Card label={label}>
      <button
        type="button"
        className={`${cardStyles.row} ${cardStyles.plain} ${styles.planHead}`}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name="plan" />
        <span className={styles.flexLine}>
          <span className="strong">{label}</span>
          <span className="meta num">{headWords(item, done, replaced)}</span>
          {!open && current && stage !== 'over' && <span className="cut t2">{current.text}</span>}
        </span>
        <Icon name={open ? 'down' : 'right'} />
      </button>
      {open && item.steps.length === 0 && item.text !== '' && (
        <p className={`${cardStyles.body} t2 ${styles.planLines}`}>{item.text.trimEnd()}</p>
      )}
      {open && item.problem !== undefined && <p className={`${cardStyles.body} t2`}>{item.problem}</p>}
      {open && <Steps item={item} now={now} inner={inner} stage={stage} />}
      {open && <PlanReasons item={item} />}
    </Card>
  );
}

interface StepsCardProps {
  steps: readonly PlanStep[];
  inner: readonly PlanStep[];
  stage: PlanStage;
}

/** The list of steps that the model keeps without a plan. */
export function StepsCard({ steps, inner, stage }: StepsCardProps) {
  const done = steps.filter(({ status }) => status === 'done').length;
  return (
    <Card label={text.steps}>
      <p className={`${cardStyles.row} ${cardStyles.plain} ${styles.planHead}`}>
        <Icon name="plan" />
        <span className={styles.flexLine}>
          <span className="strong">{text.steps}</span>
          <span className="meta num">{text.count(done, steps.length)}</span>
        </span>
      </p>
      <Steps item={{ source: 'host', steps }} now={steps} inner={inner} stage={stage} />
    </Card>
  );
}

/** The steps of its scope: nobody planned them, and no one else does them. */
const isOfHost = ({ source }: Pick<ItemOf<'plan'>, 'source'>): boolean => source === 'host';

function headWords(item: ItemOf<'plan'>, done: number, replaced: boolean): string {
  const { steps, problem, completedAt } = item;
  if (problem !== undefined) return text.none;
  if (steps.length === 0) return completedAt === null ? text.writing : text.unfinished;
  return replaced ? text.replaced(steps.length) : text.count(done, steps.length);
}

function isOver({ status }: PlanStep): boolean {
  return status === 'done' || status === 'failed' || status === 'skipped';
}

interface StepsProps extends StepsCardProps {
  item: Pick<ItemOf<'plan'>, 'source'> & { readonly steps: readonly PlanStep[] };
  now: readonly (PlanStep | null)[];
}

function Steps({ item, now, inner, stage }: Omit<StepsProps, 'steps'>) {
  const isOwn = isOfHost(item) || item.steps.every((step) => executorWords(step) === '');
  return (
    <ol className={styles.prows}>
      {withCurrent(now, stage).map((step, index) => {
        const planned = item.steps[index];
        if (!planned) return null;
        const begins = planned.milestone !== null && planned.milestone !== item.steps[index - 1]?.milestone;
        return (
          <li key={planned.id}>
            {begins && <p className={`${styles.milestone} meta`}>{planned.milestone}</p>}
            <Step
              planned={planned}
              step={step}
              number={index + 1}
              stage={stage}
              executor={isOwn ? null : executorWords(planned)}
            />
            {inner
              .filter(({ parentId }) => parentId === planned.id)
              .map((child) => (
                <Step key={child.id} planned={child} step={child} stage={stage} executor={null} />
              ))}
          </li>
        );
      })}
    </ol>
  );
}

interface StepProps {
  planned: PlanStep;
  step: PlanStep | null;
  /** Absent = a step that a subagent made of one. */
  number?: number;
  stage: PlanStage;
  /** Who does it, in words; null = no step of the plan says so. */
  executor: string | null;
}

function Step({ planned, step, number, stage, executor }: StepProps) {
  const { run } = useCommands();
  const waits = step === null || step.status === 'pending';
  const works = number !== undefined && stage !== 'over' && step?.status === 'in_progress';
  const classes = [
    styles.prow,
    waits && styles.todo,
    works && styles.now,
    executor === null && styles.own,
    number === undefined && styles.inner,
  ];
  const stepId = planned.id;
  return (
    <div className={classes.filter(Boolean).join(' ')} aria-current={works ? 'step' : undefined}>
      <StepMark step={step} stage={stage} />
      {number !== undefined && <span className={styles.number}>{number}</span>}
      <span className="cut" title={planned.text}>
        {planned.text}
      </span>
      {executor !== null && (
        <span className={`${styles.ex} cut`} title={executor}>
          {executor}
        </span>
      )}
      <span className={styles.ev}>
        {step?.status === 'done' && step.evidence && <Icon name="check" className="ok" />}
        <span className={step && isUnproved(step) ? 'cut warn' : 'cut'} title={step ? proofTitle(step) : ''}>
          {stepWords(step, stage)}
        </span>
      </span>
      {step && number !== undefined && (
        <PlanStepMenu
          step={step}
          onSet={(status) => void run('todo/set-status', { stepId, status })}
          onRemove={() => void run('todo/remove', { stepId })}
        />
      )}
    </div>
  );
}

function proofTitle({ evidence, validation }: PlanStep): string {
  return [evidence?.text, validation].filter(Boolean).join('\n');
}
