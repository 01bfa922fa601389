import { useRef, useState } from 'react';
import type { MemoryContents } from '../../../protocol/person-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { person } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { useEscape } from '../../components/use-key-down.ts';
import { ActionButton } from './controls.tsx';
import { dayOf } from './days.ts';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './requests.ts';
import { TextArea } from './form-dialog.tsx';
import settingsStyles from './settings.module.css';
import memoryStyles from './memory.module.css';

const text = person.memory;

/** What new sessions begin with. What the person writes here stays theirs. */
export function MemorySummary({ summary }: Pick<MemoryContents, 'summary'>) {
  const { actions } = useCommands();
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const form = useRef<HTMLDivElement>(null);
  const field = useFocusAtEnd();
  const write = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    setTyped(null);
    write.current?.focus();
  };
  useEscape(form, typed === null ? null : leave);
  const save = async (): Promise<void> => {
    if (typed !== null && (await attempt(() => actions.setSummary(typed)))) leave();
  };
  return (
    <div ref={form} className={`${settingsStyles.setNote} ${memoryStyles.summaryOf}`}>
      {typed === null ? (
        <p className={summary ? memoryStyles.factValue : 't2'} dir="auto">
          {summary?.text ?? text.summaryNone}
        </p>
      ) : (
        <TextArea
          ref={field}
          rows={4}
          aria-label={text.rows.summary.label}
          value={typed}
          dir="auto"
          onType={setTyped}
        />
      )}
      {failure && <FailureLine failure={failure} />}
      <div className={memoryStyles.summaryActs}>
        {typed === null ? (
          <>
            <Button ref={write} small onClick={() => setTyped(summary?.text ?? '')}>
              {summary ? text.summaryEdit : text.summaryWrite}
            </Button>
            {summary && (
              <ActionButton
                kind="quiet"
                small
                busy={busy}
                onClick={() => void attempt(() => actions.setSummary(''))}
              >
                {text.summaryRemove}
              </ActionButton>
            )}
            {summary && (
              <span className="meta num">
                {summary.byPerson ? text.summaryByYou : text.summaryByModel}, {dayOf(summary.updatedAt)}
              </span>
            )}
          </>
        ) : (
          <>
            <ActionButton small busy={busy} onClick={() => void save()}>
              {text.save}
            </ActionButton>
            <Button kind="quiet" small onClick={leave}>
              {text.discard}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
