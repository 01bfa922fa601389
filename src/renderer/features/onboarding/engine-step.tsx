/** The first step: an Ollama that answers. */
import type { Setup } from '../../../protocol/model.ts';
import { onboarding, setup as setupText } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { SetupJob } from '../../components/setup-job.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { useEngine } from '../../stores/stores.ts';
import type { FirstRunState } from './first-run.ts';
import { commandIn, downloadPage, installCommands, type GuidePlatform } from './install-guide.ts';
import {
  CheckAgain,
  CommandLine,
  Fact,
  Go,
  LinkButton,
  OtherOllama,
  OtherServer,
  Step,
  useDetails,
} from './pieces.tsx';
import { useBusy } from './use-busy.ts';

const text = onboarding.engine;

type StateOf<K extends FirstRunState['kind']> = Extract<FirstRunState, { kind: K }>;

interface EngineStepProps {
  state: FirstRunState;
  platform: GuidePlatform;
  isNow: boolean;
}

export function EngineStep({ state, platform, isNow }: EngineStepProps) {
  const setup = useEngine(({ engine }) => engine?.setup ?? null);
  const answered = useEngine(({ engine }) => engine !== null && engine.modelsReadAt !== null);
  const version = useEngine(({ engine }) =>
    engine?.status.kind === 'running' ? engine.status.version : null,
  );
  if (!isNow) {
    const fact = version === null ? text.elsewhere : text.version(version);
    return <Step state="done" title={text.name} fact={fact} />;
  }
  switch (state.kind) {
    case 'absent':
      // It answered in this run, so it need not be installed.
      if (answered) return <Gone />;
      return <Absent state={state} platform={platform} setup={setup} />;
    case 'stopped':
      return <Stopped state={state} />;
    case 'starting':
      return <Starting state={state} />;
    case 'wrong':
      return <Wrong state={state} />;
    case 'unknown':
    case 'no-model':
    case 'missing':
    case 'no-tools':
    case 'ready':
      return <Step state="now" {...text.looking} />;
  }
}

interface AbsentProps {
  state: StateOf<'absent'>;
  platform: GuidePlatform;
  /** What Andiron could set up itself; null = the engine has not said. */
  setup: Setup | null;
}

/** Nothing is downloaded before somebody presses the button that says how much. */
function Absent({ state, platform, setup }: AbsentProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const begin = (): void => void during(() => run('setup/begin'));
  const { offer = null, job = null } = setup ?? {};
  const install = installCommands[platform];
  const details = useDetails(
    <>
      {offer && (
        <>
          <Fact label={setupText.from}>{offer.url}</Fact>
          <Fact label={setupText.to}>{offer.folder}</Fact>
          <Fact label={text.absent.verified}>{text.absent.verifiedHelp}</Fact>
        </>
      )}
      {install && (
        <Fact label={text.absent.byHand}>
          <CommandLine command={install} />
        </Fact>
      )}
      <Fact label={text.absent.searched}>{state.tried.join(', ')}</Fact>
    </>,
  );
  // What did not work leaves the other ways open.
  const ways = (
    <>
      {!offer && <CheckAgain />}
      <OtherOllama />
      <OtherServer />
      {details.button}
    </>
  );
  if (job) {
    const failed = job.phase === 'failed';
    return (
      <Step state="now" title={failed ? text.absent.failed : setupText.kinds[job.kind]}>
        <SetupJob
          job={job}
          {...(offer && { title: text.version(offer.version) })}
          onPause={() => void during(() => run('setup/cancel'))}
        />
        {(failed || job.phase === 'paused') && (
          <Go rest={failed && ways}>
            <Button kind="primary" aria-disabled={busy} onClick={begin}>
              {failed ? setupText.retry : setupText.resume}
            </Button>
          </Go>
        )}
        {details.panel}
      </Step>
    );
  }
  return (
    <Step state="now" title={text.absent.title} fact={text.absent.fact}>
      <p>{offer ? text.absent.offer : text.absent.lead}</p>
      <Go rest={ways}>
        {offer ? (
          <>
            <Button kind="primary" aria-disabled={busy} onClick={begin}>
              {setupText.begin}
            </Button>
            <span className="meta num">
              {offer.downloadBytes === null
                ? setupText.sizeUnknown
                : setupText.price(offer.downloadBytes, onboarding.pace(offer.downloadBytes))}
            </span>
          </>
        ) : (
          <LinkButton href={downloadPage}>{text.absent.openPage}</LinkButton>
        )}
      </Go>
      {details.panel}
    </Step>
  );
}

function Gone() {
  return (
    <Step state="now" title={text.gone.title} fact={text.gone.fact}>
      <Go rest={<OtherOllama />}>
        <CheckAgain primary />
      </Go>
    </Step>
  );
}

function Stopped({ state: { program, canStart, startHint } }: { state: StateOf<'stopped'> }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const details = useDetails(<Fact label={text.stopped.found}>{program}</Fact>);
  const typed = commandIn(startHint);
  return (
    <Step state="now" title={text.stopped.title} fact={text.stopped.fact}>
      {!canStart && <p>{text.stopped.byHand}</p>}
      {!canStart && (typed === null ? <p>{startHint}</p> : <CommandLine command={typed} />)}
      <Go
        rest={
          <>
            <OtherOllama />
            {details.button}
          </>
        }
      >
        {canStart ? (
          <Button kind="primary" aria-disabled={busy} onClick={() => void during(() => run('engine/start'))}>
            {text.stopped.start}
          </Button>
        ) : (
          <CheckAgain primary />
        )}
      </Go>
      {details.panel}
    </Step>
  );
}

/** The engine gives up after this and says why. */
const startLimitMs = 60_000;

function Starting({ state }: { state: StateOf<'starting'> }) {
  const elapsed = useElapsed(state.since);
  return (
    <Step state="now" title={text.starting.title} fact={text.starting.fact}>
      <p className="num" role="timer">
        {elapsed > startLimitMs ? text.starting.overdue(elapsed) : text.starting.waited(elapsed)}
      </p>
    </Step>
  );
}

function Wrong({ state: { message, barrier } }: { state: StateOf<'wrong'> }) {
  const fact = barrier ? text.barred.fact : text.wrong.fact;
  return (
    <Step state="now" title={text.wrong.title} fact={fact}>
      <p>{barrier ? text.barred[barrier](message) : text.wrong.lead(message)}</p>
      <Go rest={<OtherOllama />}>
        <CheckAgain primary />
      </Go>
    </Step>
  );
}
