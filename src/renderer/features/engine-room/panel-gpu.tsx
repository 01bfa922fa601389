import type { EngineState, GpuSample } from '../../../protocol/model.ts';
import { engine as bar, enginePanel as text } from '../../text.ts';
import { percent } from '../../formats.ts';
import { useCommands } from '../../commands/commands.ts';
import { Bar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { positions } from '../../components/positions.ts';
import { shortGpuName } from '../../stores/derive.ts';
import { gpuSight, isKnown, splitVram } from '../../../rules/vram-split.ts';
import { Part } from './part.tsx';
import { VramBar, VramKeys } from '../../components/vram-parts.tsx';
import styles from './panels.module.css';
import bars from '../../components/bar.module.css';

interface PanelGpuProps {
  engine: EngineState;
  /** The one that the panel is about. */
  model: string | null;
}

/** VRAM as one bar of models, other programs and what is free; the figures of each GPU below. */
export function PanelGpu({ engine, model }: PanelGpuProps) {
  const { gpus, loaded } = engine;
  const sight = gpuSight(engine);
  if (gpus === null || sight === 'unread') {
    return (
      <Part title={text.vram.title}>
        <p className="t3">{bar.gpuUnread}</p>
      </Part>
    );
  }
  if (sight === 'none') return <MainMemory memory={engine.memory} />;
  const vram = splitVram(gpus, loaded);
  const known = sight === 'read' && isKnown(vram) ? vram : null;
  return (
    <Part title={text.vram.title} meta={known ? text.vram.of(known.used, known.total) : text.vram.unknown}>
      {known && (
        <>
          <VramBar vram={known} />
          <p className={`${styles.keys} num`}>
            <VramKeys vram={known} names={text.vram.segments} about={text.vram.about} />
          </p>
        </>
      )}
      <OtherModels engine={engine} model={model} />
      {positions(gpus).map(({ at, piece }) => (
        <Figures key={at} gpu={piece} named={gpus.length > 1} />
      ))}
    </Part>
  );
}

/** What else stands in the VRAM, and the way to have it back. */
function OtherModels({ engine, model }: PanelGpuProps) {
  const { run } = useCommands();
  const others = engine.loaded.filter(({ name, vramBytes }) => name !== model && vramBytes > 0);
  if (others.length === 0) return null;
  return (
    <ul className={`${styles.alsoLoaded} num`} aria-label={text.vram.also}>
      {others.map(({ name, vramBytes }) => (
        <li key={name}>
          <span className="cut" title={name}>
            {name}
          </span>
          <span className="t3">{text.vram.holds(vramBytes)}</span>
          <Button
            kind="quiet"
            small
            aria-label={text.model.ejectOf(name)}
            disabled={engine.lease?.model === name}
            onClick={() => void run('model/unload', { model: name })}
          >
            <span>{text.model.eject}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Where models lie without a GPU. */
function MainMemory({ memory: { totalBytes, usedBytes, cpuLoad } }: Pick<EngineState, 'memory'>) {
  const known = totalBytes !== null && usedBytes !== null;
  return (
    <Part title={text.memory.title} meta={known ? text.vram.of(usedBytes, totalBytes) : text.vram.unknown}>
      {known && (
        <Bar
          tall
          total={totalBytes}
          label={text.memory.label(usedBytes, totalBytes)}
          parts={[{ key: 'used', look: bars.other, value: usedBytes }]}
        />
      )}
      <p className={`${styles.keys} num`}>
        <span>{text.memory.noGpu}</span>
        {cpuLoad !== null && <span>{text.memory.busy(cpuLoad / 100)}</span>}
      </p>
    </Part>
  );
}

/** `named`: one of several. */
function Figures({ gpu, named }: { gpu: GpuSample; named: boolean }) {
  const { utilization, temperatureC, powerW, throttled } = gpu;
  return (
    <>
      <dl className={`${styles.figures} num`}>
        <div>
          <dt className="cut">{named ? shortGpuName(gpu.name) : text.vram.utilization}</dt>
          <dd>{utilization === null ? text.vram.unknown : percent(utilization / 100)}</dd>
        </div>
        <div>
          <dt>{text.vram.temperature}</dt>
          <dd>{temperatureC === null ? text.vram.unknown : bar.temperature(temperatureC)}</dd>
        </div>
        <div>
          <dt>{text.vram.power}</dt>
          <dd>{powerW === null ? text.vram.unknown : bar.power(powerW)}</dd>
        </div>
      </dl>
      {throttled !== undefined && throttled.length > 0 && (
        <p className="with-mark">
          <Mark icon="alert" tone="warn" />
          <span>{text.vram.throttled(throttled.map((cause) => text.vram.causes[cause]).join(', '))}</span>
        </p>
      )}
    </>
  );
}
