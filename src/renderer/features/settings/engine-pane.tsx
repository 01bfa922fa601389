import type { EngineState, EngineStatus, GpuSample } from '../../../protocol/model.ts';
import { enginePanel, settings } from '../../text.ts';
import { positions } from '../../components/positions.ts';
import { Mark, type StateLook } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useEngine } from '../../stores/stores.ts';
import { ActionButton } from './action-button.tsx';
import type { SettingsActions } from './actions.ts';
import { EngineHosts } from './engine-hosts.tsx';
import { EngineIncidents } from './engine-incidents.tsx';
import { EngineSetup } from './engine-setup.tsx';
import { FailureLine } from './failure-line.tsx';
import { KeepAlive } from './keep-alive.tsx';
import { Row } from './row.tsx';
import { useAttempt } from './use-attempt.ts';

const text = settings.engine;

/** Ollama and the machine under it. Whatever is not known is called unknown. */
export function EnginePane({ actions }: { actions: SettingsActions }) {
  const engine = useEngine((state) => state.engine);
  if (!engine) return <p className="empty-pane t2">{settings.engineNotYet}</p>;
  return (
    <div className="pane">
      <h2>{text.title}</h2>
      <Ollama engine={engine} />
      <KeepAlive engine={engine} actions={actions} />
      <EngineHosts hosts={engine.hosts} />
      <EngineSetup setup={engine.setup} />
      <EngineIncidents incidents={engine.incidents} />
      {engine.gpus === null || engine.gpus.length === 0 ? (
        <>
          <h2>{text.gpu}</h2>
          <p className="t2">{engine.gpus === null ? text.gpuReading : text.gpuNone}</p>
        </>
      ) : (
        positions(engine.gpus).map(({ at, piece }) => <Gpu key={at} gpu={piece} />)
      )}
      <Memory memory={engine.memory} />
    </div>
  );
}

const looks: Record<EngineStatus['kind'], StateLook> = {
  searching: { icon: 'queued', tone: 'still' },
  absent: { icon: 'failed', tone: 'fail' },
  stopped: { icon: 'stopped', tone: 'still' },
  starting: { icon: 'clock', tone: 'still' },
  wrong: { icon: 'alert', tone: 'warn' },
  running: { icon: 'done', tone: 'ok' },
};

function Ollama({ engine }: { engine: EngineState }) {
  const { status, problem, lease, waiting } = engine;
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  return (
    <>
      <dl className="rows">
        <Row label={text.state}>
          <span className="of-state">
            <Mark {...looks[status.kind]} />
            {text.states[status.kind]}
          </span>
        </Row>
        <StatusRows status={status} />
        {status.kind === 'running' && (
          <Row label={text.queue}>{lease ? text.queueBusy(lease.label, waiting) : text.queueIdle}</Row>
        )}
        {problem && (
          <Row label={text.problem}>
            <span className="of-state">
              <Mark icon="alert" tone="warn" />
              <span>
                {problem.message} <span className="t2">{problem.advice}</span>
              </span>
            </span>
          </Row>
        )}
      </dl>
      <div className="acts">
        {status.kind === 'stopped' && status.canStart && (
          <ActionButton
            kind="primary"
            busy={busy}
            onClick={() => void attempt(() => registry['engine/start'].run())}
          >
            {text.start}
          </ActionButton>
        )}
        <ActionButton busy={busy} onClick={() => void attempt(() => registry['engine/refresh'].run())}>
          {text.lookAgain}
        </ActionButton>
      </div>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function StatusRows({ status }: { status: EngineStatus }) {
  switch (status.kind) {
    case 'running':
      return (
        <>
          <Row label={text.address}>
            <span className="mono">{status.url}</span>
          </Row>
          <Row label={text.version}>
            {status.version} {status.simulated && <span className="tag">{text.simulated}</span>}
          </Row>
          <Row label={text.reach}>
            <Reach exposed={status.exposed} />
          </Row>
        </>
      );
    case 'stopped':
      return (
        <>
          <Row label={text.program}>
            <span className="mono">{status.program}</span>
          </Row>
          <Row label={text.hint}>{status.startHint}</Row>
        </>
      );
    case 'wrong':
      return (
        <>
          <Row label={text.address}>
            <span className="mono">{status.url}</span>
          </Row>
          <Row label={text.problem}>{status.message}</Row>
        </>
      );
    case 'searching':
    case 'starting':
    case 'absent':
      return null;
  }
}

function Reach({ exposed }: { exposed: boolean | null }) {
  if (exposed === null) return text.reaches.unknown;
  if (!exposed) return text.reaches.local;
  return (
    <span className="of-state">
      <Mark icon="alert" tone="warn" />
      {text.reaches.network}
    </span>
  );
}

function Gpu({ gpu }: { gpu: GpuSample }) {
  const { vramTotalBytes: total, vramUsedBytes: used, utilization, temperatureC, powerW } = gpu;
  const vram =
    total === null ? settings.unknown : used === null ? text.vramTotal(total) : text.vramOf(used, total);
  return (
    <>
      <h2>{gpu.name}</h2>
      <dl className="rows num">
        <Row label={text.vram}>{vram}</Row>
        <Row label={text.load}>{known(utilization, (value) => text.utilization(value / 100))}</Row>
        <Row label={text.temperature}>{known(temperatureC, text.celsius)}</Row>
        <Row label={text.power}>{known(powerW, text.watts)}</Row>
        {gpu.throttled !== undefined && (
          <Row label={text.throttle}>
            {gpu.throttled.length === 0
              ? text.throttleNone
              : gpu.throttled.map((cause) => enginePanel.vram.causes[cause]).join(', ')}
          </Row>
        )}
      </dl>
    </>
  );
}

function Memory({ memory: { totalBytes, usedBytes, cpuLoad } }: { memory: EngineState['memory'] }) {
  const both = totalBytes === null || usedBytes === null;
  return (
    <>
      <h2>{text.memory}</h2>
      <dl className="rows num">
        <Row label={text.memoryUse}>{both ? settings.unknown : text.memoryOf(usedBytes, totalBytes)}</Row>
        <Row label={text.cpu}>{known(cpuLoad, (value) => text.utilization(value / 100))}</Row>
      </dl>
    </>
  );
}

function known(value: number | null, words: (value: number) => string): string {
  return value === null ? settings.unknown : words(value);
}
