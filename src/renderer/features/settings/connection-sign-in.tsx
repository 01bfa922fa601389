import { useState } from 'react';
import type { McpSignIn } from '../../../protocol/mcp-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { SafeLink } from '../../components/link.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { connectionsPane } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import connectionsStyles from './connections.module.css';
import settingsStyles from './settings.module.css';

const { signIn: text } = connectionsPane;

/** Who the person is to a server. Its page is opened by them alone, after they saw where it leads. */
export function ConnectionSignIn({ name, signIn }: { name: string; signIn: McpSignIn }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [page, setPage] = useState<string | null>(null);
  const { state, problem } = signIn;
  if (state === 'none' && problem === null) return null;
  const begin = (): void => void attempt(async () => setPage((await actions.signInToServer(name)).url));
  return (
    <section className={connectionsStyles.connectionSignIn} aria-label={text.label}>
      {failure && <FailureLine failure={failure} />}
      {problem !== null && <FailureLine failure={{ message: problem, advice: '' }} />}
      {state === 'waiting' && page !== null && (
        <>
          <p className="t2">{text.openHelp}</p>
          <p className="mono">
            <VisibleText text={page} />
          </p>
          <SafeLink href={page}>{text.open}</SafeLink>
        </>
      )}
      <div className={settingsStyles.jobActs}>
        <span className="t2">{text.states[state]}</span>
        {state === 'waiting' && (
          <Button small onClick={() => void attempt(() => actions.cancelSignIn())}>
            {text.cancel}
          </Button>
        )}
        {state === 'signed_in' && (
          <ActionButton small busy={busy} onClick={() => void attempt(() => actions.signOutOfServer(name))}>
            {text.out}
          </ActionButton>
        )}
        {(state === 'needed' || state === 'none') && (
          <ActionButton small kind="primary" busy={busy} onClick={begin}>
            {text.begin}
          </ActionButton>
        )}
      </div>
    </section>
  );
}
