import type { EngineState, EngineStatus, GpuSample, KeepAlivePolicy } from '../../../protocol/model.ts';
import { enginePanel, settings } from '../../text.ts';
import { positions } from '../../components/positions.ts';
import { Mark, type StateLook } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { wordsByCode } from '../../commands/error-words.ts';
import { useEngine } from '../../stores/stores.ts';
import { ActionButton, Segments, TypedField } from './controls.tsx';
import { EngineHosts } from './engine-hosts.tsx';
import { EngineIncidents } from './engine-incidents.tsx';
import { ModelHosts } from './model-hosts.tsx';
import { EngineSetup } from './engine-setup.tsx';
import { FailureLine, Row, SettingGroup } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import { gpuSight, type GpuSight } from '../../../rules/vram-split.ts';
import { useId } from 'react';
import { count, parseWhole } from '../../formats.ts';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = settings.engine;

function gpuWords(sight: GpuSight): string {
  const words = { unread: text.gpuReading, none: text.gpuNone, unreadable: text.gpuUnreadable, read: '' };
  return words[sight];
}

/** Ollama and the machine under it. Whatever is not known is called unknown. */
export function EnginePane() {
  const engine = useEngine((state) => state.engine);
  if (!engine) return <p className={`${settingsStyles.emptyPane} t2`}>{settings.engineNotYet}</p>;
  const { status, setup, gpus } = engine;
  // The way to an Ollama comes first where none runs.
  const needed = status.kind !== 'running' && !setup.installed;
  const own = <EngineSetup setup={setup} />;
  return (
    <div className={settingsStyles.pane}>
      <Ollama engine={engine} />
      {needed && own}
      {gpus === null || gpus.length === 0 ? (
        <SettingGroup label={text.gpu} help="">
          <p className={`t2 ${settingsStyles.setNote}`}>{gpuWords(gpuSight(engine))}</p>
        </SettingGroup>
      ) : (
        positions(gpus).map(({ at, piece }) => <Gpu key={at} gpu={piece} />)
      )}
      {engine.systemReadings === 'failed' && (
        <p className={`${settingsStyles.setNote} ${settingsStyles.ofState}`}>
          <Mark icon="alert" tone="warn" />
          <span>{text.readingsFailed}</span>
        </p>
      )}
      <Memory memory={engine.memory} />
      <KeepAlive engine={engine} />
      <EngineHosts hosts={engine.hosts} />
      <ModelHosts />
      {!needed && own}
      <EngineIncidents incidents={engine.incidents} />
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
  const said = problem && wordsByCode(problem.code, problem);
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const act = (id: 'engine/start' | 'engine/refresh'): void => void attempt(() => registry[id].run());
  return (
    <SettingGroup
      label={text.title}
      help=""
      aside={
        <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
          {status.kind === 'stopped' && status.canStart && (
            <ActionButton kind="primary" busy={busy} onClick={() => act('engine/start')}>
              {text.start}
            </ActionButton>
          )}
          <ActionButton busy={busy} onClick={() => act('engine/refresh')}>
            {text.lookAgain}
          </ActionButton>
        </span>
      }
    >
      <dl className={`${settingsStyles.rows} ${settingsStyles.pairs}`}>
        <Row label={text.state}>
          <span className={settingsStyles.ofState}>
            <Mark {...looks[status.kind]} />
            {text.states[status.kind]}
          </span>
        </Row>
        <StatusRows status={status} queue={lease ? text.queueBusy(lease.label, waiting) : text.queueIdle} />
        {said && (
          <Row wide label={text.problem}>
            <span className={settingsStyles.ofState}>
              <Mark icon="alert" tone="warn" />
              <span>
                {said.message} <span className="t2">{said.advice}</span>
              </span>
            </span>
          </Row>
        )}
      </dl>
      {failure && <FailureLine failure={failure} />}
    </SettingGroup>
  );
}

function StatusRows({ status, queue }: { status: EngineStatus; queue: string }) {
  switch (status.kind) {
    case 'running':
      return (
        <>
          <Row label={text.version}>
            {status.version} {status.simulated && <span className="tag">{text.simulated}</span>}
          </Row>
          <Row label={text.address}>
            <span className="mono">{status.url}</span>
          </Row>
          <Row label={text.queue}>{queue}</Row>
          <Row wide label={text.reach}>
            <Reach exposed={status.exposed} />
          </Row>
        </>
      );
    case 'stopped':
      return (
        <>
          <Row wide label={text.program}>
            <span className="mono">{status.program}</span>
          </Row>
          <Row wide label={text.hint}>
            {status.startHint}
          </Row>
        </>
      );
    case 'wrong':
      return (
        <>
          <Row label={text.address}>
            <span className="mono">{status.url}</span>
          </Row>
          <Row wide label={text.problem}>
            {status.message}
          </Row>
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
    <span className={settingsStyles.ofState}>
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
    <SettingGroup label={gpu.name} help="">
      <dl className={`${settingsStyles.rows} ${settingsStyles.pairs} num`}>
        <Row label={text.vram}>{vram}</Row>
        <Row label={text.load}>{known(utilization, (value) => text.utilization(value / 100))}</Row>
        <Row label={text.temperature}>{known(temperatureC, text.celsius)}</Row>
        <Row label={text.power}>{known(powerW, text.watts)}</Row>
        {gpu.throttled !== undefined && (
          <Row wide label={text.throttle}>
            {gpu.throttled.length === 0
              ? text.throttleNone
              : gpu.throttled.map((cause) => enginePanel.vram.causes[cause]).join(', ')}
          </Row>
        )}
      </dl>
    </SettingGroup>
  );
}

function Memory({ memory: { totalBytes, usedBytes, cpuLoad } }: { memory: EngineState['memory'] }) {
  const both = totalBytes === null || usedBytes === null;
  return (
    <SettingGroup label={text.memory} help="">
      <dl className={`${settingsStyles.rows} ${settingsStyles.pairs} num`}>
        <Row label={text.memoryUse}>{both ? settings.unknown : text.memoryOf(usedBytes, totalBytes)}</Row>
        <Row label={text.cpu}>{known(cpuLoad, (value) => text.utilization(value / 100))}</Row>
      </dl>
    </SettingGroup>
  );
}

function known(value: number | null, words: (value: number) => string): string {
  return value === null ? settings.unknown : words(value);
}

const policies: KeepAlivePolicy[] = ['while_open', 'minutes', 'always', 'never'];
const maxMinutes = 1440;

/** How long a model stays in VRAM after its last request. */
function KeepAlive({ engine }: { engine: Pick<EngineState, 'keepAlive' | 'keepMinutes'> }) {
  const { keepAlive, keepMinutes } = engine;
  const { registry } = useCommands();
  const helpId = useId();
  const { failure, attempt } = useAttempt();
  const set = (policy: KeepAlivePolicy, minutes?: number): void =>
    void attempt(() =>
      registry['engine/set-keep-alive'].run({ policy, ...(minutes !== undefined && { minutes }) }),
    );
  return (
    <SettingGroup label={text.keepAlive} help="">
      <div className={`${settingsStyles.choice} ${libraryStyles.keep}`}>
        <p id={helpId}>{text.keepAliveHelp[keepAlive]}</p>
        <Segments
          label={text.keepAlive}
          describedBy={helpId}
          value={keepAlive}
          segments={policies.map((value) => ({ value, label: text.keepAliveChoices[value] }))}
          onChoose={set}
        />
        {keepAlive === 'minutes' && (
          <TypedField
            label={text.keepMinutes}
            value={count(keepMinutes)}
            describedBy={helpId}
            look="figure"
            unit={text.minutesUnit}
            check={(typed) => (minutesOf(typed) === null ? settings.invalid.whole(1, maxMinutes) : null)}
            onTake={(typed) => set('minutes', minutesOf(typed) ?? keepMinutes)}
          />
        )}
      </div>
      {failure && <FailureLine failure={failure} />}
    </SettingGroup>
  );
}

const minutesOf = (typed: string): number | null => parseWhole(typed, 1, maxMinutes);
