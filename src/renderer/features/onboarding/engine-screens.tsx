/** The first step: an Ollama that answers. */
import { onboarding as text } from '../../../text/en/onboarding.ts';
import { Button } from '../../components/button.tsx';
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
import { CommandLine, Fact, Facts, LinkButton, LookAgain, Screen } from './pieces.tsx';
import { useBusy } from './use-busy.ts';

type StateOf<K extends FirstRunState['kind']> = Extract<FirstRunState, { kind: K }>;

export function Absent({ state, platform }: { state: StateOf<'absent'>; platform: GuidePlatform }) {
  const install = installCommands[platform];
  return (
    <Screen
      title={text.absent.title}
      lead={text.absent.lead}
      actions={
        <>
          <LinkButton href={downloadPage}>{text.openPage}</LinkButton>
          <LookAgain />
          <span className="meta">{text.byItself}</span>
        </>
      }
    >
      <Facts>
        <Fact label={text.absent.install}>
          {text.absent.guides[platform]}
          {install && <CommandLine command={install} />}
        </Fact>
        <Fact label={text.absent.looked}>
          <span className="cut block" title={state.tried.join('\n')}>
            {state.tried.join(', ')}
          </span>
        </Fact>
        <Fact label={text.absent.elsewhere}>{text.absent.elsewhereHelp}</Fact>
        <Fact label={text.demo}>
          {text.demoHelp}
          <CommandLine command={demoCommand} />
        </Fact>
      </Facts>
    </Screen>
  );
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
