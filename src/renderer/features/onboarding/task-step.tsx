/** The last step: a first task. It may be written and started before the model is ready; then it waits. */
import { useState } from 'react';
import type { Turn } from '../../../protocol/model.ts';
import { onboarding } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { queuedTurns } from '../../stores/derive.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { withSuggestion } from '../../stores/suggested-draft.ts';
import { draftKey } from '../../stores/ui-store.ts';
import { Go, Step, type StepState } from './pieces.tsx';
import css from './setup.module.css';
import { useBusy } from './use-busy.ts';

const text = onboarding.task;

export function TaskStep({ state, ready }: { state: StepState; ready: boolean }) {
  const waiting = useWaitingTask();
  if (state !== 'now') return <Step state={state} title={text.name} />;
  return (
    <Step state="now" title={text.title}>
      {waiting ? <Kept turn={waiting} /> : <Writing ready={ready} />}
    </Step>
  );
}

/** The first message that was sent already, and waits for a model. */
export function useWaitingTask(): Turn | undefined {
  return useSession(({ state }) => queuedTurns(state).find(({ waitsFor }) => waitsFor === 'model'));
}

function Writing({ ready }: { ready: boolean }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const draft = useUi(({ drafts, openSessionId }) => drafts[draftKey(openSessionId)] ?? '');
  const [untouched, setUntouched] = useState(draft === '');
  const words = untouched && draft === '' ? text.first : draft;
  const write = (next: string): void => {
    setUntouched(false);
    void run('first-run/write', { text: next });
  };
  const start = (): void => void during(() => run('first-run/start', { text: words }));
  const isEmpty = words.trim() === '';
  return (
    <>
      <textarea
        className={css.field}
        dir="auto"
        aria-label={text.field}
        value={words}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isEmpty) return;
          event.preventDefault();
          start();
        }}
      />
      <div className={css.go}>
        {text.others.map((other) => (
          <Button
            key={other}
            small
            onClick={() => write(withSuggestion(words, other, [text.first, ...text.others]))}
          >
            {other}
          </Button>
        ))}
      </div>
      <Go>
        <Button kind="primary" aria-disabled={busy || isEmpty} onClick={isEmpty ? undefined : start}>
          {text.start}
        </Button>
        {!ready && <span className="meta">{onboarding.leads.waits}</span>}
      </Go>
    </>
  );
}

function Kept({ turn }: { turn: Turn }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  return (
    <>
      <div className={`${css.field} ${css.kept}`}>{turn.text}</div>
      <Go
        rest={
          <Button
            kind="quiet"
            aria-disabled={busy}
            onClick={() =>
              void during(() => run('first-run/take-back', { turnId: turn.id, text: turn.text }))
            }
          >
            {text.edit}
          </Button>
        }
      >
        {null}
      </Go>
    </>
  );
}
