import { useEffect, useRef } from 'react';
import type { EngineState } from '../../../protocol/model.ts';
import { enginePanel as text, shell } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel, runningTurn } from '../../stores/derive.ts';
import { gpuQueue } from '../../stores/figures.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import styles from './engine-room.module.css';
import { PanelGpu } from './panel-gpu.tsx';
import { PanelModel } from './panel-model.tsx';
import { PanelWindow } from './panel-window.tsx';
import { Part } from './part.tsx';
import { SessionTotals } from './session-totals.tsx';
import { Timeline } from './timeline.tsx';
import { TokenTable } from './token-table.tsx';
import panelsStyles from './panels.module.css';

/** What the GPU holds, who uses it and what for, and where the tokens of the session went: every figure has its place here. */
export function EngineRoom() {
  const { run } = useCommands();
  const engine = useEngine((state) => state.engine);
  const root = useRef<HTMLElement>(null);
  useEffect(() => root.current?.focus(), []);
  return (
    <section className={styles.room} ref={root} tabIndex={-1} aria-label={text.label}>
      <div className={styles.column}>
        <header className={styles.head}>
          <h2>{text.label}</h2>
          <Button kind="quiet" onClick={() => void run('view/slow')}>
            {text.why}
          </Button>
          <Button kind="quiet" onClick={() => void run('view/settings-of', { section: 'engine' })}>
            {text.settings}
          </Button>
          <Button keys={['Esc']} onClick={() => void run('view/session')}>
            {text.close}
          </Button>
        </header>
        {engine ? <Machine engine={engine} /> : <p className="t2">{shell.connecting.engine}</p>}
        <TokenTable />
        <SessionTotals />
      </div>
    </section>
  );
}

/** What holds now: the model and the GPU, and beside them what they did. */
function Machine({ engine }: { engine: EngineState }) {
  const running = useSession((session) => runningTurn(session.state)?.model);
  const target = useTarget();
  const model = running ?? effectiveModel(target, engine);
  return (
    <div className={styles.machine}>
      <div className={panelsStyles.enginePanel}>
        <PanelModel engine={engine} model={model} />
        <PanelGpu engine={engine} model={model} />
        <Queue engine={engine} />
      </div>
      <div className={panelsStyles.enginePanel}>
        <Timeline />
        <PanelWindow model={model} />
        {engine.sideCacheBytes !== null && (
          <Part title={text.side.title} meta={text.side.held(engine.sideCacheBytes)}>
            <p className="meta">{text.side.help}</p>
          </Part>
        )}
      </div>
    </div>
  );
}

/** Who has the GPU and who waits for it, in order, and what for. */
function Queue({ engine }: { engine: EngineState }) {
  const { lines } = gpuQueue(engine);
  return (
    <Part title={text.queue.title} meta={lines.length === 0 ? text.queue.free : undefined}>
      {lines.length > 0 && (
        <ol className={`${panelsStyles.queueOf} num`}>
          {lines.map(({ holder, place }) => (
            <li key={holder.id}>
              <span className="t3">{place === null ? text.queue.uses : text.queue.waits(place)}</span>
              <span className="cut" title={`${holder.label}, ${holder.model}`}>
                {holder.label}
              </span>
              <span className="t3">{text.queue.purposes[holder.purpose]}</span>
              <Since at={holder.since} />
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}

function Since({ at }: { at: number }) {
  return <span className="t3 r">{text.queue.since(useElapsed(at))}</span>;
}
