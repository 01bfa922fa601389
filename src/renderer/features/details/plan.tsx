/** The plan as it stands, step by step with its proof, and who works on it. */
import type { AgentRun, Item, PlanStep } from '../../../protocol/model.ts';
import { tenths } from '../../../text/format.ts';
import { plan as text } from '../../text.ts';
import { agentElapsed, agentFacts, agentLook } from '../../components/agent-words.ts';
import { IconButton } from '../../components/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { isUnproved, StepMark, stepWords, type PlanStage } from '../../components/plan-step.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { latestTurn, runningTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { useSessionParts } from './use-session-parts.ts';

export function Plan() {
  const steps = useSession((session) => session.state?.todo?.steps);
  const stage = useSession((session) => stageOf(runningTurn(session.state)?.phase));
  const planning = useSession((session) => runningTurn(session.state)?.planning);
  if (!steps || steps.length === 0) {
    if (planning === undefined) return null;
    return (
      <section className="sec">
        <h2>
          {text.label}
          <span className="meta">{text.notYet}</span>
        </h2>
        <p className="t3">{text.phases[planning]}</p>
      </section>
    );
  }
  const own = steps.filter((step) => step.parentId === null);
  return (
    <section className="sec">
      <h2>
        {text.label}
        <span className="meta">
          {text.count(own.filter((step) => step.status === 'done').length, own.length)}
        </span>
      </h2>
      <Steps steps={own} all={steps} stage={stage} />
    </section>
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
  const words = stepWords(step, stage);
  return (
    <div className={looks[step.status] ?? 'pl'}>
      <StepMark step={step} stage={stage} />
      <span className="cut" title={step.text}>
        {step.text}
      </span>
      {step.parentId === null && <StepMenu step={step} />}
      {words !== '' && (
        <span className="ev2 meta">
          <span className={isUnproved(step) ? 'cut warn' : 'cut'} title={step.validation ?? words}>
            {words}
          </span>
          <span className="mono cut">{doer(step)}</span>
        </span>
      )}
    </div>
  );
}

const settable = [
  ['done', 'check'],
  ['pending', 'undo'],
  ['skipped', 'declined'],
] as const;

/** What the person knows better. A subagent's steps are its own. */
function StepMenu({ step }: { step: PlanStep }) {
  const { run } = useCommands();
  return (
    <Menu trigger={<IconButton icon="more" className="more" label={text.actions(step.text)} />}>
      {settable.map(
        ([status, icon]) =>
          step.status !== status && (
            <MenuItem
              key={status}
              icon={icon}
              onClick={() => void run('todo/set-status', { stepId: step.id, status })}
            >
              {text.set[status]}
            </MenuItem>
          ),
      )}
      <MenuSeparator />
      <MenuItem icon="trash" danger onClick={() => void run('todo/remove', { stepId: step.id })}>
        {text.remove}
      </MenuItem>
    </Menu>
  );
}

/** A tool's or a profile's name says who does it; the agent itself is not named. */
function doer({ executor }: PlanStep): string {
  if (executor.kind === 'self') return '';
  return executor.kind === 'tool' ? executor.tool : executor.profileId;
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
