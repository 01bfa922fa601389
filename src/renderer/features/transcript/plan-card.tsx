/** The plan of a turn: its steps tick from the todo list, with what proves them. */
import type { ItemOf, PlanStep } from '../../../protocol/model.ts';
import { plan as text } from '../../text.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { isUnproved, StepMark, stepWords, type PlanStage } from '../../components/plan-step.tsx';
import { PlanReasons } from './plan-reasons.tsx';
import { useExpanded } from './use-expanded.ts';

interface PlanCardProps {
  item: ItemOf<'plan'>;
  /** How far the steps are, in the order of the item's; null = no longer in the list. */
  now: (PlanStep | null)[];
  stage: PlanStage;
}

export function PlanCard({ item, now, stage }: PlanCardProps) {
  const done = now.filter((step) => step?.status === 'done').length;
  const ended = now.length > 0 && now.every((step) => step === null || isOver(step));
  const replaced = now.length > 0 && now.every((step) => step === null);
  // It folds to its head when there is nothing left to watch.
  const [open, toggle] = useExpanded(item.id, item.problem !== undefined || (stage !== 'over' && !ended));
  const current = now.find((step) => step?.status === 'in_progress');
  const label = isOfHost(item) ? text.steps : text.label;
  return (
    <Card label={label}>
      <button type="button" className="row plain plan-head" aria-expanded={open} onClick={toggle}>
        <Icon name="plan" />
        <span className="flex-line">
          <span className="strong">{label}</span>
          <span className="meta num">{headWords(item, done, replaced)}</span>
          {!open && current && stage !== 'over' && <span className="cut t2">{current.text}</span>}
        </span>
        <Icon name={open ? 'down' : 'right'} />
      </button>
      {open && item.steps.length === 0 && item.text !== '' && (
        <p className="body t2 plan-lines">{item.text.trimEnd()}</p>
      )}
      {open && item.problem !== undefined && <p className="body t2">{item.problem}</p>}
      {open && <Steps item={item} now={now} stage={stage} />}
      {open && <PlanReasons item={item} />}
    </Card>
  );
}

/** The steps of its scope: nobody planned them, and no one else does them. */
const isOfHost = ({ source }: ItemOf<'plan'>): boolean => source === 'host';

function headWords(item: ItemOf<'plan'>, done: number, replaced: boolean): string {
  const { steps, problem, completedAt } = item;
  if (problem !== undefined) return text.none;
  if (steps.length === 0) return completedAt === null ? text.writing : text.unfinished;
  return replaced ? text.replaced(steps.length) : text.count(done, steps.length);
}

function isOver({ status }: PlanStep): boolean {
  return status === 'done' || status === 'failed' || status === 'skipped';
}

function Steps({ item, now, stage }: PlanCardProps) {
  return (
    <ol className="prows">
      {item.steps.map((planned, index) => {
        const begins = planned.milestone !== null && planned.milestone !== item.steps[index - 1]?.milestone;
        return (
          <li key={planned.id}>
            {begins && <p className="milestone meta">{planned.milestone}</p>}
            <Step
              planned={planned}
              step={now[index] ?? null}
              number={index + 1}
              stage={stage}
              executor={isOfHost(item) ? null : text.executor(planned.executor)}
            />
          </li>
        );
      })}
    </ol>
  );
}

interface StepProps {
  planned: PlanStep;
  step: PlanStep | null;
  number: number;
  stage: PlanStage;
  /** Who does it, in words; null = it goes without saying. */
  executor: string | null;
}

function Step({ planned, step, number, stage, executor }: StepProps) {
  const waits = step === null || step.status === 'pending';
  return (
    <div className={['prow', waits && 'todo', executor === null && 'own'].filter(Boolean).join(' ')}>
      <StepMark step={step} stage={stage} />
      <span className="n">{number}</span>
      <span className="cut" title={planned.text}>
        {planned.text}
      </span>
      {executor !== null && (
        <span className="ex mono cut" title={executor}>
          {executor}
        </span>
      )}
      <span className="ev">
        {step?.status === 'done' && step.evidence && <Icon name="check" className="ok" />}
        <span className={step && isUnproved(step) ? 'cut warn' : 'cut'} title={step ? proofTitle(step) : ''}>
          {stepWords(step, stage)}
        </span>
      </span>
    </div>
  );
}

function proofTitle({ evidence, validation }: PlanStep): string {
  return [evidence?.text, validation].filter(Boolean).join('\n');
}
