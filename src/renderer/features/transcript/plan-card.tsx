/** The plan of a turn: its steps tick from the todo list, with what proves them. */
import type { ItemOf, PlanStep } from '../../../protocol/model.ts';
import { plan as text, transcript } from '../../text.ts';
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
import { isPlanOpen, stepKey } from './plan-rows.ts';
import type { PlanPart } from './rows.ts';
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
  /** Those of its steps that no work stands between; null = all, without work. */
  part?: PlanPart | null;
}

const none: readonly PlanStep[] = [];

export function PlanCard({ item, now, inner = none, stage, part = null }: PlanCardProps) {
  const done = now.filter((step) => step?.status === 'done').length;
  const replaced = now.length > 0 && now.every((step) => step === null);
  const [open, toggle] = useExpanded(item.id, isPlanOpen({ item, now, stage }));
  const current = withCurrent(now, stage).find((step) => step?.status === 'in_progress');
  const label = isOfHost(item) ? text.steps : text.label;
  if (part && part.from > 0) {
    return (
      <Card label={text.part(part.from + 1, part.to)}>
        <Steps item={item} now={now} inner={inner} stage={stage} part={part} />
      </Card>
    );
  }
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
          {!open && current && stage !== 'over' && (
            <span className="cut t2" dir="auto">
              {current.text}
            </span>
          )}
        </span>
        <Icon name={open ? 'down' : 'right'} />
      </button>
      {open && item.steps.length === 0 && item.text !== '' && (
        <p className={`${cardStyles.body} t2 ${styles.planLines}`}>{item.text.trimEnd()}</p>
      )}
      {open && item.problem !== undefined && <p className={`${cardStyles.body} t2`}>{item.problem}</p>}
      {open && <Steps item={item} now={now} inner={inner} stage={stage} part={part} />}
      {open && !part && <PlanReasons item={item} />}
    </Card>
  );
}

interface StepsCardProps {
  steps: readonly PlanStep[];
  inner: readonly PlanStep[];
  stage: PlanStage;
  part?: PlanPart | null;
}

/** The list of steps that the model keeps without a plan. */
export function StepsCard({ steps, inner, stage, part = null }: StepsCardProps) {
  const done = steps.filter(({ status }) => status === 'done').length;
  return (
    <Card label={part && part.from > 0 ? text.part(part.from + 1, part.to) : text.steps}>
      {(part?.from ?? 0) === 0 && (
        <p className={`${cardStyles.row} ${cardStyles.plain} ${styles.planHead}`}>
          <Icon name="plan" />
          <span className={styles.flexLine}>
            <span className="strong">{text.steps}</span>
            <span className="meta num">{text.count(done, steps.length)}</span>
          </span>
        </p>
      )}
      <Steps item={{ source: 'host', steps }} now={steps} inner={inner} stage={stage} part={part} />
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

interface StepsProps {
  item: Pick<ItemOf<'plan'>, 'source'> & { readonly steps: readonly PlanStep[] };
  now: readonly (PlanStep | null)[];
  inner: readonly PlanStep[];
  stage: PlanStage;
  part: PlanPart | null;
}

function Steps({ item, now, inner, stage, part }: StepsProps) {
  // Where the work itself stands below its step, who does it goes without saying.
  const isOwn = part !== null || isOfHost(item) || item.steps.every((step) => executorWords(step) === '');
  const { from, to } = part ?? { from: 0, to: now.length };
  const goesOn = part?.opened[to - 1] === true;
  return (
    <ol className={goesOn ? `${styles.prows} ${styles.goesOn}` : styles.prows} start={from + 1}>
      {withCurrent(now, stage).map((step, index) => {
        const planned = item.steps[index];
        if (!planned || index < from || index >= to) return null;
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
              work={part?.folds[index] === true ? workOf(part, index) : null}
            />
            {inner
              .filter(({ parentId }) => parentId === planned.id)
              .map((child) => (
                <Step key={child.id} planned={child} step={child} stage={stage} executor={null} work={null} />
              ))}
          </li>
        );
      })}
    </ol>
  );
}

/** Of a row; null = it is whole, and no work stands in it. */
export function partOf(row: Partial<PlanPart>): PlanPart | null {
  const { turnId, from, to, calls, failed, folds, opened } = row;
  const isPart =
    turnId !== undefined && from !== undefined && to !== undefined && calls && failed && folds && opened;
  return isPart ? { turnId, from, to, calls, failed, folds, opened } : null;
}

/** What stands under a step, or behind its line. */
interface StepWork {
  key: string;
  calls: number;
  failed: number;
  opened: boolean;
}

function workOf({ turnId, calls, failed, opened }: PlanPart, place: number): StepWork {
  return {
    key: stepKey(turnId, place),
    calls: calls[place] ?? 0,
    failed: failed[place] ?? 0,
    opened: opened[place] === true,
  };
}

interface StepProps {
  planned: PlanStep;
  step: PlanStep | null;
  /** Absent = a step that a subagent made of one. */
  number?: number;
  stage: PlanStage;
  /** Who does it, in words; null = no step of the plan says so. */
  executor: string | null;
  /** null = nothing can be folded. */
  work: StepWork | null;
}

function Step({ planned, step, number, stage, executor, work }: StepProps) {
  const { run } = useCommands();
  const waits = step === null || step.status === 'pending';
  const works = number !== undefined && stage !== 'over' && step?.status === 'in_progress';
  const classes = [
    styles.prow,
    waits && styles.todo,
    works && styles.now,
    work?.opened === true && styles.opened,
    executor === null && styles.own,
    number === undefined && styles.inner,
  ];
  const stepId = planned.id;
  return (
    <div className={classes.filter(Boolean).join(' ')} aria-current={works ? 'step' : undefined}>
      <StepMark step={step} stage={stage} />
      {number !== undefined && <span className={styles.number}>{number}</span>}
      {work ? (
        <StepToggle text={planned.text} work={work} />
      ) : (
        <span className="cut" title={planned.text} dir="auto">
          {planned.text}
        </span>
      )}
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

/** The line of a step is the button of its work; what failed in it is said on the line. */
function StepToggle({ text: words, work }: { text: string; work: StepWork }) {
  const [, toggle] = useExpanded(work.key, work.opened);
  return (
    <button
      type="button"
      className={styles.stepToggle}
      aria-expanded={work.opened}
      title={words}
      onClick={toggle}
    >
      <span className="cut" dir="auto">
        {words}
      </span>
      {!work.opened && (
        <span className={`${styles.behind} num`}>
          {work.calls > 0 && <span>{text.agents.calls(work.calls)}</span>}
          {work.failed > 0 && <span className="fail">{transcript.folded.failed(work.failed)}</span>}
        </span>
      )}
      <Icon name={work.opened ? 'down' : 'right'} />
    </button>
  );
}

function proofTitle({ evidence, validation }: PlanStep): string {
  return [evidence?.text, validation].filter(Boolean).join('\n');
}
