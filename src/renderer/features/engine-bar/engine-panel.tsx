import type { EngineState } from '../../../protocol/model.ts';
import { enginePanel as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { gpuQueue } from '../../stores/figures.ts';
import { Part } from './part.tsx';
import { PanelGpu } from './panel-gpu.tsx';
import { PanelModel } from './panel-model.tsx';
import { PanelWindow } from './panel-window.tsx';

/** What the GPU holds, who uses it, and what can be done about it. `model`: the one that runs, or would. */
export function EnginePanel({ engine, model }: { engine: EngineState; model: string | null }) {
  const { run } = useCommands();
  return (
    <>
      <PanelModel engine={engine} model={model} />
      <PanelGpu engine={engine} model={model} />
      <Queue engine={engine} />
      <PanelWindow model={model} />
      {engine.sideCacheBytes !== null && (
        <Part title={text.side.title} meta={text.side.held(engine.sideCacheBytes)}>
          <p className="meta">{text.side.help}</p>
        </Part>
      )}
      <div className="panel-foot">
        <Button kind="quiet" onClick={() => void run('view/slow')}>
          {text.why}
        </Button>
        <Button kind="quiet" onClick={() => void run('view/settings-of', { section: 'engine' })}>
          {text.settings}
        </Button>
      </div>
    </>
  );
}

/** Who has the GPU and who waits for it, in order, and what for. */
function Queue({ engine }: { engine: EngineState }) {
  const { lines } = gpuQueue(engine);
  return (
    <Part title={text.queue.title} meta={lines.length === 0 ? text.queue.free : undefined}>
      {lines.length > 0 && (
        <ol className="queue-of num">
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
