import { wordsByCode } from '../commands/error-words.ts';
import { useState } from 'react';
import type { EngineState } from '../../protocol/model.ts';
import { isOnHost } from '../../rules/model-names.ts';
import { setup, shell as text } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { useElapsed } from '../components/use-elapsed.ts';
import { Mark } from '../components/state-mark.tsx';
import { effectiveModel, runningTurn } from '../stores/derive.ts';
import { Remedies } from '../features/transcript/remedies.tsx';
import type { SessionStoreState } from '../stores/session-store.ts';
import { useEngine, useHost, useSession, useUi } from '../stores/stores.ts';
import { useTarget } from '../stores/use-target.ts';
import styles from '../features/composer/composer.module.css';

/** One line above the message box when something between the person and the model is not there; with the next step. */
export function EngineNotice() {
  const host = useHost((state) => state.connection);
  const hostSince = useHost((state) => state.connectionSince);
  const engineLink = useEngine((state) => state.connection);
  const engineSince = useEngine((state) => state.connectionSince);
  const engine = useEngine((state) => state.engine);
  const target = useTarget();
  const model = effectiveModel(target, engine);
  // Nothing stands between the person and a model of another server, whatever Ollama does.
  const needsEngine = model === null || !isOnHost(model, target.hosts);
  return (
    <div className={`${styles.comp} ${styles.engineNotice}`}>
      <output>
        {host === 'refused' ? (
          <Problem {...text.refused} />
        ) : host !== 'live' ? (
          <ConnectionLine
            key="host"
            since={hostSince}
            words={text[host === 'lost' ? 'lost' : 'connecting'].host}
          />
        ) : engineLink !== 'live' ? (
          <ConnectionLine
            key="engine"
            since={engineSince}
            words={text[engineLink === 'lost' ? 'lost' : 'connecting'].engine}
          />
        ) : (
          <>
            <Outdated />
            {engine && needsEngine && <EngineLine engine={engine} />}
          </>
        )}
      </output>
    </div>
  );
}

function Outdated() {
  const { run } = useCommands();
  const outdated = useUi((ui) => ui.outdated);
  if (!outdated) return null;
  return (
    <div className="notice">
      <Icon name="info" />
      <span className="grow">{text.outdated.title}</span>
      <span className="meta">{text.outdated.kept}</span>
      <Button small onClick={() => void run('view/reload')}>
        {text.broken.reload}
      </Button>
    </div>
  );
}

/** A connection that comes at once is not worth a line. */
const patienceMs = 800;
/** One that comes back does so within seconds. */
const longMs = 10_000;

function ConnectionLine({ words, since }: { words: string; since: number | null }) {
  const { run } = useCommands();
  const [seen] = useState(() => Date.now());
  const elapsed = useElapsed(since ?? seen, patienceMs);
  if (elapsed < patienceMs) return null;
  return (
    <div className="notice">
      <Icon name="redo" />
      <span className="grow">{words}</span>
      <span className="meta">{elapsed < longMs ? text.draftKept : text.stillLost}</span>
      {elapsed >= longMs && (
        <Button small onClick={() => void run('connection/retry')}>
          {text.tryNow}
        </Button>
      )}
    </div>
  );
}

function EngineLine({ engine }: { engine: EngineState }) {
  const { run } = useCommands();
  const shownError = useSession(errorInView);
  const problems = text.engineProblems;
  const again = (
    <Button small onClick={() => void run('engine/refresh')}>
      {problems.lookAgain}
    </Button>
  );
  const { status } = engine;
  switch (status.kind) {
    case 'searching':
      return <Quiet words={problems.searching} />;
    case 'starting':
      return <Quiet words={problems.starting} />;
    case 'absent': {
      const { job, offer } = engine.setup;
      if (job && job.phase !== 'failed') {
        return <Quiet words={`${setup.kinds[job.kind]}: ${setup.phases[job.phase]}`} />;
      }
      const { title, next } = engine.modelsReadAt === null ? problems.absent : problems.gone;
      return (
        <Problem title={title} next={job?.problem?.message ?? next}>
          {offer && engine.modelsReadAt === null && (
            <Button small onClick={() => void run('view/settings-of', { section: 'engine' })}>
              {problems.setUp}
            </Button>
          )}
          {again}
        </Problem>
      );
    }
    case 'stopped':
      return (
        <Problem title={problems.stopped.title} next={status.canStart ? '' : status.startHint}>
          {status.canStart ? (
            <Button small onClick={() => void run('engine/start')}>
              {problems.start}
            </Button>
          ) : (
            again
          )}
        </Problem>
      );
    case 'wrong': {
      const { barrier, url, message } = status;
      const title = barrier ? problems.barriers[barrier] : problems.wrong.title;
      return (
        <Problem title={title} next={barrier ? message : `${url}: ${message}`}>
          {again}
        </Problem>
      );
    }
    case 'running':
      if (engine.problem) {
        if (engine.problem.message === shownError) return null;
        const words = wordsByCode(engine.problem.code, engine.problem);
        return (
          <Problem title={words.message} next={words.advice}>
            <Remedies code={engine.problem.code} />
          </Problem>
        );
      }
      if (engine.modelsReadAt !== null && engine.models.length === 0) {
        return (
          <Problem title={problems.noModel.title} next={problems.noModel.next}>
            <Button small onClick={() => void run('view/settings-of', { section: 'models' })}>
              {problems.noModel.choose}
            </Button>
            {again}
          </Problem>
        );
      }
      return null;
  }
}

/** What the card at the end of the transcript says, with the same advice and buttons; null when the end is no error. */
function errorInView({ state, sending }: SessionStoreState): string | null {
  const last = sending ? undefined : state?.items.at(-1);
  return last?.kind === 'error' && !runningTurn(state) ? last.message : null;
}

function Quiet({ words }: { words: string }) {
  return (
    <div className="notice">
      <Icon name="clock" />
      <span className="grow">{words}</span>
    </div>
  );
}

function Problem({ title, next, children }: { title: string; next: string; children?: React.ReactNode }) {
  return (
    <div className="notice">
      <Mark icon="alert" tone="warn" />
      <span className="grow">
        {title}
        {next !== '' && <span className="meta block">{next}</span>}
      </span>
      {children}
    </div>
  );
}
