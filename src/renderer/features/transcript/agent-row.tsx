/** A subagent: one line that says how far it is, and its own Stop; what it did stands in the rows below. */
import type { AgentRun } from '../../../protocol/model.ts';
import { tenths } from '../../formats.ts';
import { plan, tools, transcript as text } from '../../text.ts';
import { agentElapsed, agentFacts, agentLook } from '../../components/agent-words.ts';
import { Card } from './card.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import type { AgentItem } from './rows.ts';
import { KeysOf } from './masked.tsx';
import { Output } from './output.tsx';
import { StopOne } from './stop-one.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './card.module.css';

interface AgentRowProps {
  item: AgentItem;
  open: boolean;
}

export function AgentRow({ item, open }: AgentRowProps) {
  const { agent } = item;
  const [, toggle] = useExpanded(item.id, agent.state !== 'ended');
  const running = agent.state !== 'ended';
  const head = plan.agents.head(agent.profileId, agent.task);
  return (
    <Card label={head}>
      <div className={styles.agentHead}>
        <button
          type="button"
          className={running ? `${styles.row} ${styles.stoppable}` : styles.row}
          aria-expanded={open}
          title={agent.task}
          onClick={toggle}
        >
          <Mark {...agentLook(agent)} />
          <span className={styles.verb}>{tools.spawn_agent.verb}</span>
          <span className="cut" dir="auto">
            {head}
          </span>
          <span className={`${styles.figure} ${styles.factsOf}`}>
            <span className="cut">{agentFacts(agent)}</span>
          </span>
          <span className={styles.figure}>
            <AgentTime agent={agent} />
          </span>
        </button>
        {running && (
          <StopOne
            command="agent/stop"
            callId={item.callId}
            words={plan.agents.stop}
            asked={plan.agents.stopping}
          />
        )}
      </div>
      {open && <Briefing item={item} />}
    </Card>
  );
}

function AgentTime({ agent }: { agent: AgentRun }) {
  const elapsed = useElapsed(agent.state === 'running' ? agent.startedAt : null);
  if (agent.state === 'waiting') return null;
  const ms = agentElapsed(agent) ?? elapsed;
  return agent.endedAt === null && ms < 1000 ? null : tenths(ms);
}

/** A task of one short line stands in the head already. */
const shortTask = 60;

/** What it was asked, on which model, and what it told its parent when it ended without finishing. */
function Briefing({ item }: { item: AgentItem }) {
  const { agent } = item;
  const facts = [agent.model, plan.agents.steps(agent.iterations)].filter((fact) => fact !== null);
  return (
    <div className={`${styles.body} ${styles.briefing}`}>
      <p className="meta num">{facts.join(', ')}</p>
      {agent.task.length > shortTask && <p className="t2">{agent.task}</p>}
      {item.repairs.length > 0 && <p className="meta">{text.repairs(item.repairs)}</p>}
      {hasMore(item) && (
        <>
          <p className="meta">{plan.agents.told}</p>
          <KeysOf item={item.id}>
            <Output text={item.result} wrap />
          </KeysOf>
        </>
      )}
    </div>
  );
}

/** The last words of a finished subagent stand in its log; of another one its parent was told more than that. */
function hasMore({ agent, result }: AgentItem): boolean {
  return agent.state === 'ended' && agent.stopReason !== 'completed' && result !== '';
}
