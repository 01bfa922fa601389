import type { EngineState, GpuSample } from '../../../protocol/model.ts';
import { engine as bar, enginePanel as text } from '../../text.ts';
import { gigabytes, percent } from '../../../text/format.ts';
import { Bar, BarKey } from '../../components/bar.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { positions } from '../../components/positions.ts';
import { shortGpuName } from '../../stores/derive.ts';
import { splitVram } from '../../stores/vram.ts';
import { Part } from './part.tsx';

/** VRAM as one bar of models, other programs and what is free; the figures of each GPU below. */
export function PanelGpu({ engine: { gpus, loaded } }: { engine: EngineState }) {
  if (gpus === null || gpus.length === 0) {
    return (
      <Part title={text.vram.title}>
        <p className="t3">{gpus === null ? bar.gpuUnread : bar.gpuNone}</p>
      </Part>
    );
  }
  const vram = splitVram(gpus, loaded);
  const known = vram.used !== null && vram.total !== null;
  return (
    <Part
      title={text.vram.title}
      meta={
        vram.used !== null && vram.total !== null ? text.vram.of(vram.used, vram.total) : text.vram.unknown
      }
    >
      {vram.used !== null && vram.total !== null && (
        <Bar
          tall
          total={vram.total}
          label={bar.vramLabel(vram.used, vram.total)}
          parts={[
            { key: 'model', look: 'b-weights', value: vram.model },
            { key: 'other', look: 'b-other', value: vram.other },
          ]}
        />
      )}
      {known && (
        <p className="keys num">
          <BarKey look="b-weights">
            {text.vram.model} {gigabytes(vram.model)}
          </BarKey>
          <BarKey look="b-other">
            {text.vram.other} {gigabytes(vram.other)}
          </BarKey>
          <BarKey look="b-free">
            {text.vram.free} {gigabytes(vram.free ?? 0)}
          </BarKey>
        </p>
      )}
      {positions(gpus).map(({ at, piece }) => (
        <Figures key={at} gpu={piece} named={gpus.length > 1} />
      ))}
    </Part>
  );
}

/** `named`: one of several. */
function Figures({ gpu, named }: { gpu: GpuSample; named: boolean }) {
  const { utilization, temperatureC, powerW, throttled } = gpu;
  return (
    <>
      <dl className="figures num">
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
