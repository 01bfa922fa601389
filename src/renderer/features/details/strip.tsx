import type { Item, ToolItem, Turn } from '../../../protocol/model.ts';
import { details as text, plan } from '../../text.ts';
import { withCurrent } from '../../components/plan-step.tsx';
import { Mark, type StateLook } from '../../components/state-mark.tsx';
import { toolObject, toolVerb } from '../../components/tool-verb.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { latestTurn } from '../../stores/derive.ts';
import { splitContext } from '../../stores/figures.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { waitWords } from '../../components/wait-words.ts';
import { useFileRows } from './files.tsx';

const looks: Record<Turn['status'], StateLook> = {
  queued: { icon: 'queued', tone: 'still' },
  running: { icon: 'running', tone: 'run' },
  finished: { icon: 'done', tone: 'done' },
  stopped: { icon: 'stopped', tone: 'still' },
  failed: { icon: 'failed', tone: 'fail' },
  max_iterations: { icon: 'cap', tone: 'warn' },
  interrupted: { icon: 'cut', tone: 'warn' },
};

const lookOf = ({ status, cut }: Turn): StateLook => (cut ? looks.max_iterations : looks[status]);

/** What the right column says, in one line, where there is no room for it. */
export function Strip() {
  const turn = useSession((session) => latestTurn(session.state));
  const context = useSession((session) => session.state?.context ?? null);
  const files = useFileRows().filter(({ added, removed }) => added + removed > 0);
  if (!turn) return null;
  const look = turn.phase === 'approval' ? ({ icon: 'wait', tone: 'wait' } as const) : lookOf(turn);
  return (
    <div className="strip">
      <Mark {...look} />
      <StripWords turn={turn} />
      <span className="grow" />
      {files.length > 0 && (
        <span className="meta num">
          {text.strip.files(files.length)}{' '}
          <span className="ok">+{files.reduce((sum, file) => sum + file.added, 0)}</span>{' '}
          <span className="fail">−{files.reduce((sum, file) => sum + file.removed, 0)}</span>
        </span>
      )}
      {context && <span className="meta num">{text.strip.window(splitContext(context).ratio)}</span>}
    </div>
  );
}

/** How far the plan is and its step in work, then the call that runs or asks; without a step the state of the turn. */
function StripWords({ turn }: { turn: Turn }) {
  const call = useSession((session) => openCall(session.state?.items ?? [], turn.id));
  const all = useSession((session) => session.state?.todo?.steps);
  const steps = all?.filter(({ parentId }) => parentId === null) ?? [];
  const done = steps.filter(({ status }) => status === 'done').length;
  const isRunning = turn.status === 'running';
  // A list that an earlier turn left says nothing of what this one does.
  const isPlanned = useSession(
    ({ state }) => state?.items.some(({ kind, turnId }) => kind === 'plan' && turnId === turn.id) ?? false,
  );
  const step = isRunning
    ? withCurrent(steps, isPlanned ? 'works' : 'over').find(({ status }) => status === 'in_progress')
    : undefined;
  return (
    <>
      {step && (
        <>
          <span className="num">{plan.count(done, steps.length)}</span>
          <span className="cut strong">{step.text}</span>
        </>
      )}
      {isRunning && call ? (
        <span className={step ? 'cut t3' : 'cut'}>
          <span className={step ? undefined : 'strong'}>{toolVerb(call.tool)}</span>{' '}
          <span className="mono">
            <VisibleText text={toolObject(call.tool, call.subject)} oneLine />
          </span>
        </span>
      ) : (
        !step && <TurnWords turn={turn} />
      )}
      {!step && steps.length > 0 && <span className="meta num">{text.strip.plan(done, steps.length)}</span>}
    </>
  );
}

function TurnWords({ turn }: { turn: Turn }) {
  const engine = useEngine((state) => state.engine?.status.kind);
  const { status, phase, planning, cut } = turn;
  const waits = phase === null ? '' : waitWords(phase, engine);
  const now = planning ? plan.phases[planning] : waits;
  const ended = cut ? 'cut' : status;
  return <span className="cut strong">{ended === 'running' ? now : text.strip[ended]}</span>;
}

function openCall(items: Item[], turnId: string): ToolItem | undefined {
  const last = items.findLast((item) => item.turnId === turnId);
  return last?.kind === 'tool' && last.completedAt === null ? last : undefined;
}
