/** The first step: an Ollama that answers. */
import type { EngineStatus, Setup } from '../../../protocol/model.ts';
import { onboarding as text, setup as setupText } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { SetupJob } from '../../components/setup-job.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import type { FirstRunState } from './first-run.ts';
import {
  commandIn,
  demoCommand,
  downloadPage,
  installCommands,
  type GuidePlatform,
} from './install-guide.ts';
import { CommandLine, Fact, Facts, LinkButton, LookAgain, Screen, StepMark } from './pieces.tsx';
import { useBusy } from './use-busy.ts';

type StateOf<K extends FirstRunState['kind']> = Extract<FirstRunState, { kind: K }>;

interface AbsentProps {
  state: StateOf<'absent'>;
  platform: GuidePlatform;
  /** What Andiron could set up itself; null = the engine has not said. */
  setup: Setup | null;
  /** It answered in this run: it need not be installed. */
  gone: boolean;
}

/** Nothing is downloaded before somebody presses the button that says what comes from where and goes where. */
export function Absent({ state, platform, setup, gone }: AbsentProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const install = installCommands[platform];
  const begin = (): void => void during(() => run('setup/begin'));
  const job = setup?.job ?? null;
  const offer = gone ? null : (setup?.offer ?? null);
  // What did not work leaves the other ways open.
  const open = job === null || job.phase === 'failed';
  const byHand = open && !gone && (
    <Fact label={offer ? text.absent.yourself : text.absent.install}>
      {text.absent.guides[platform]}
      {install && <CommandLine command={install} />}
    </Fact>
  );
  return (
    <Screen
      title={titleWords(job, gone)}
      lead={!job && gone ? text.gone.lead : leadWords(job, offer !== null)}
      actions={
        !job && (
          <>
            {offer ? (
              <Button kind="primary" aria-disabled={busy} onClick={begin}>
                {text.absent.setUp(offer.downloadBytes)}
              </Button>
            ) : (
              !gone && <LinkButton href={downloadPage}>{text.openPage}</LinkButton>
            )}
            <LookAgain primary={gone} />
            <span className="meta">{text.byItself}</span>
          </>
        )
      }
      rest={
        open && (
          <Facts>
            {offer && byHand}
            {!offer && (
              <>
                <Fact label={text.absent.looked}>
                  <span className="cut block" title={state.tried.join('\n')}>
                    {state.tried.join(', ')}
                  </span>
                </Fact>
                <Fact label={text.absent.elsewhere}>{text.absent.elsewhereHelp}</Fact>
              </>
            )}
            <Fact label={text.demo}>
              {text.demoHelp}
              <CommandLine command={demoCommand} />
            </Fact>
          </Facts>
        )
      }
    >
      {job && (
        <div className="fr-panel">
          <SetupJob job={job} onPause={() => void during(() => run('setup/cancel'))} onResume={begin} />
        </div>
      )}
      {offer ? (
        <Facts>
          <Fact label={setupText.from}>
            <span className="mono wrap">{offer.url}</span>
          </Fact>
          <Fact label={setupText.to}>
            <span className="mono wrap">{offer.folder}</span>
          </Fact>
          <Fact label={text.absent.checked}>{text.absent.checkedHelp}</Fact>
        </Facts>
      ) : (
        byHand && <Facts>{byHand}</Facts>
      )}
    </Screen>
  );
}

function titleWords(job: Setup['job'], gone: boolean): string {
  if (!job) return gone ? text.gone.title : text.absent.title;
  return job.phase === 'failed' ? text.absent.titleFailed : setupText.kinds[job.kind];
}

function leadWords(job: Setup['job'], offered: boolean): string {
  if (!job) return offered ? text.absent.leadOffer : text.absent.lead;
  if (job.phase === 'failed') return text.absent.leadFailed;
  return job.phase === 'paused' ? text.absent.leadPaused : text.absent.leadJob;
}

export function Stopped({ state }: { state: StateOf<'stopped'> }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const typed = commandIn(state.startHint);
  return (
    <Screen
      title={text.stopped.title}
      lead={state.canStart ? text.stopped.lead : text.stopped.leadByHand}
      actions={
        <>
          {state.canStart && (
            <Button
              kind="primary"
              aria-disabled={busy}
              onClick={() => void during(() => run('engine/start'))}
            >
              {text.stopped.start}
            </Button>
          )}
          <LookAgain primary={!state.canStart} />
          <span className="meta">{text.byItself}</span>
        </>
      }
    >
      <Facts>
        <Fact label={text.stopped.found}>
          <span className="mono cut block" title={state.program}>
            {state.program}
          </span>
        </Fact>
        <Fact label={text.stopped.byHand}>
          {typed === null ? (
            state.startHint
          ) : (
            <>
              {state.startHint.slice(0, -typed.length)}
              <CommandLine command={typed} />
            </>
          )}
        </Fact>
      </Facts>
    </Screen>
  );
}

/** Nothing is known yet: what is looked for, in its order. `status` null = the engine has not said anything. */
export function Searching({ status }: { status: EngineStatus['kind'] | null }) {
  const found = status === 'running';
  return (
    <Screen title={text.unknown.title} lead={text.unknown.lead}>
      <Facts>
        <Fact label={text.unknown.ollama}>
          <Sought state={found ? 'done' : 'now'} words={found ? text.unknown.found : text.unknown.looking} />
        </Fact>
        <Fact label={text.unknown.models}>
          <Sought
            state={found ? 'now' : 'later'}
            words={found ? text.unknown.reading : text.unknown.afterwards}
          />
        </Fact>
      </Facts>
    </Screen>
  );
}

function Sought({ state, words }: { state: 'done' | 'now' | 'later'; words: string }) {
  return (
    <span className="fr-state">
      <StepMark state={state} />
      <span className={state === 'later' ? 't3' : undefined}>{words}</span>
    </span>
  );
}

/** The engine gives up after this and says why. */
const startLimitMs = 60_000;

export function Starting({ state }: { state: StateOf<'starting'> }) {
  const elapsed = useElapsed(state.since);
  return (
    <Screen title={text.starting.title} lead={text.starting.lead}>
      <Facts>
        <Fact label={text.starting.since}>
          <span className="num" role="timer">
            {elapsed > startLimitMs ? text.starting.overdue(elapsed) : text.starting.waited(elapsed)}
          </span>
        </Fact>
      </Facts>
    </Screen>
  );
}

export function Wrong({ state }: { state: StateOf<'wrong'> }) {
  return (
    <Screen
      title={text.wrong.title}
      lead={text.wrong.lead}
      actions={
        <>
          <LookAgain primary />
          <span className="meta">{text.byItself}</span>
        </>
      }
    >
      <Facts>
        <Fact label={text.wrong.address}>
          <span className="mono">{state.url}</span>
        </Fact>
        <Fact label={text.wrong.said}>{state.message}</Fact>
        <Fact label={text.wrong.next}>{text.wrong.nextHelp}</Fact>
        <Fact label={text.demo}>
          {text.demoHelp}
          <CommandLine command={demoCommand} />
        </Fact>
      </Facts>
    </Screen>
  );
}
