/** The plan as it stands, step by step with its proof, and who works on it. */
import type { AgentRun, Item, PlanStep } from '../../../protocol/model.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { tenths } from '../../../text/format.ts';
import { plan as text } from '../../text.ts';
import { agentElapsed, agentFacts, agentLook } from '../../components/agent-words.ts';
import {
  executorWords,
  isUnproved,
  StepMark,
  stepWords,
  withCurrent,
  type PlanStage,
} from '../../components/plan-step.tsx';
import { PlanStepMenu } from '../../components/plan-step-menu.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { latestTurn, runningTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { useSessionParts } from './use-session-parts.ts';

/** The whole list where no card of the conversation has it; else how far it is and the step in work, while a turn runs. */
export function Plan() {
  const steps = useSession((session) => session.state?.todo?.steps);
  const stage = useSession((session) => stageOf(runningTurn(session.state)?.phase));
  const isInCard = useSession((session) => isPlanShown(session.state));
  if (!steps || steps.length === 0 || (isInCard && stage === 'over')) return null;
  const own = steps.filter((step) => step.parentId === null);
  const current = withCurrent(own, stage).filter(({ status }) => status === 'in_progress');
  return (
    <section className="sec" aria-labelledby="plan-of-session">
      <h2 id="plan-of-session">
        {text.label}
        <span className="meta">
          {text.count(own.filter((step) => step.status === 'done').length, own.length)}
        </span>
      </h2>
      <Steps steps={isInCard ? current : own} all={isInCard ? current : steps} stage={stage} />
    </section>
  );
}

/** By a plan of the items in the window; the list may also be one that the model made without a plan. */
function isPlanShown(state: SessionState | null): boolean {
  const ids = new Set(state?.todo?.steps.map(({ id }) => id));
  return (
    state?.items.some((item) => item.kind === 'plan' && item.steps.some(({ id }) => ids.has(id))) ?? false
  );
}

/** null or undefined = no turn runs. */
function stageOf(phase: string | null | undefined): PlanStage {
  if (!phase) return 'over';
  return phase === 'approval' ? 'asks' : 'works';
}

function Steps({ steps, all, stage }: { steps: PlanStep[]; all: PlanStep[]; stage: PlanStage }) {
  return (
    <ol>
      {steps.map((step) => {
        const children = all.filter((other) => other.parentId === step.id);
        return (
          <li key={step.id}>
            <Step step={step} stage={stage} />
            {children.length > 0 && (
              <div className="pl-children">
                <Steps steps={children} all={all} stage={stage} />
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const looks: Partial<Record<PlanStep['status'], string>> = {
  pending: 'pl todo',
  skipped: 'pl todo',
  in_progress: 'pl now',
};

function Step({ step, stage }: { step: PlanStep; stage: PlanStage }) {
  const { run } = useCommands();
  const words = stepWords(step, stage);
  return (
    <div className={looks[step.status] ?? 'pl'}>
      <StepMark step={step} stage={stage} />
      <span className="cut" title={step.text}>
        {step.text}
      </span>
      {step.parentId === null && (
        <PlanStepMenu
          step={step}
          onSet={(status) => void run('todo/set-status', { stepId: step.id, status })}
          onRemove={() => void run('todo/remove', { stepId: step.id })}
        />
      )}
      {words !== '' && (
        <span className="ev2 meta">
          <span className={isUnproved(step) ? 'cut warn' : 'cut'} title={step.validation ?? words}>
            {words}
          </span>
          <span className="cut">{executorWords(step)}</span>
        </span>
      )}
    </div>
  );
}

export function Subagents() {
  const agents = useSessionParts(({ state }) => agentsOf(state?.items ?? [], latestTurn(state)?.id));
  if (agents.length === 0) return null;
  const running = agents.filter(({ state }) => state !== 'ended').length;
  return (
    <section className="sec">
      <h2>
        {text.agents.title}
        <span className="meta">
          {running > 0 ? text.agents.running(running) : text.agents.ended(agents.length)}
        </span>
      </h2>
      <ul>
        {agents.map((agent) => (
          <AgentLine key={agent.id} agent={agent} />
        ))}
      </ul>
    </section>
  );
}

function agentsOf(items: Item[], turnId: string | undefined): AgentRun[] {
  return items.flatMap((item) =>
    item.turnId === turnId && item.kind === 'tool' && item.agent ? [item.agent] : [],
  );
}

function AgentLine({ agent }: { agent: AgentRun }) {
  const running = useElapsed(agent.state === 'running' ? agent.startedAt : null);
  const ms = agentElapsed(agent) ?? running;
  return (
    <li className="pl now">
      <Mark {...agentLook(agent)} />
      <span className="agent-line">
        <span className="cut" title={agent.task}>
          {agent.profileId}
        </span>
        <span className="meta num">
          {[agentFacts(agent), ms > 0 ? tenths(ms) : ''].filter(Boolean).join(', ')}
        </span>
      </span>
    </li>
  );
}
