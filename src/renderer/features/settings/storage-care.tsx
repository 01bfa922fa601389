import { useRef, useState, type ReactNode } from 'react';
import type { StorageSizes } from '../../../protocol/person-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { person } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { ActionButton, AskedButton } from './controls.tsx';
import { FailureLine, SettingRow } from './pane-parts.tsx';
import { useAttempt, type Failure } from './requests.ts';
import settingsStyles from './settings.module.css';
import storageStyles from './storage.module.css';

const text = person.storage;
const { rows } = text;

interface CareProps {
  sizes: StorageSizes | null;
  /** Something is larger or smaller now. */
  onChanged: () => void;
}

/** What a person can do about the data folder; each says under itself what came of it. */
export function StorageCare(props: CareProps) {
  return (
    <div className={settingsStyles.care}>
      <Export />
      <Check />
      <Compact {...props} />
      <Purge {...props} />
    </div>
  );
}

function Export() {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const stop = useRef<AbortController>(null);
  const begin = (): void => {
    const controller = new AbortController();
    stop.current = controller;
    setOutcome(null);
    void attempt(async () => {
      try {
        const exported = await actions.exportAll(
          (done, total) => setProgress({ done, total }),
          controller.signal,
        );
        if (exported === null) return;
        const words = exported.handedOver ? text.handedOver : text.exported;
        setOutcome(words(exported.bytes, exported.sessions));
      } catch (error) {
        // Stopped by the person: there is nothing to tell.
        if (!controller.signal.aborted) throw error;
      } finally {
        setProgress(null);
      }
    });
  };
  return (
    <Care row={rows.export} outcome={outcome} failure={failure}>
      {(helpId) => (
        <>
          {progress && <span className="meta num">{text.exporting(progress.done, progress.total)}</span>}
          {busy ? (
            <Button onClick={() => stop.current?.abort()}>{text.stopExport}</Button>
          ) : (
            <Button aria-describedby={helpId} onClick={begin}>
              {text.export}
            </Button>
          )}
        </>
      )}
    </Care>
  );
}

function Check() {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [problems, setProblems] = useState<string[] | null>(null);
  const check = (): void => {
    setProblems(null);
    void attempt(async () => setProblems(await actions.check()));
  };
  const sound = problems?.length === 0;
  return (
    <Care
      row={rows.check}
      outcome={sound ? text.sound : null}
      failure={failure}
      more={
        problems &&
        !sound && (
          <div role="alert">
            <p className={settingsStyles.failure}>
              <Mark icon="failed" tone="fail" />
              <span>{text.damaged(problems.length)}</span>
            </p>
            <ul className="out">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </div>
        )
      }
    >
      {(helpId) => (
        <ActionButton busy={busy} describedBy={helpId} onClick={check}>
          {busy ? text.working : text.check}
        </ActionButton>
      )}
    </Care>
  );
}

function Compact({ onChanged }: Pick<CareProps, 'onChanged'>) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [outcome, setOutcome] = useState<string | null>(null);
  const compact = (): void => {
    setOutcome(null);
    void attempt(async () => {
      setOutcome(text.compacted(await actions.compact()));
      onChanged();
    });
  };
  return (
    <Care row={rows.compact} outcome={outcome} failure={failure}>
      {(helpId) => (
        <ActionButton busy={busy} describedBy={helpId} onClick={compact}>
          {busy ? text.working : text.compact}
        </ActionButton>
      )}
    </Care>
  );
}

function Purge({ sizes, onChanged }: CareProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [outcome, setOutcome] = useState<string | null>(null);
  const count = sizes?.deleted.count ?? 0;
  const purge = (): void => {
    void attempt(async () => {
      setOutcome(text.purged(await actions.purge()));
      onChanged();
    });
  };
  return (
    <Care row={rows.purge} outcome={outcome} failure={failure}>
      {(helpId) => (
        <AskedButton
          kind="danger"
          busy={busy || count === 0}
          describedBy={helpId}
          title={text.purgeTitle(count)}
          text={text.purgeText(sizes?.deleted.bytes ?? 0)}
          confirm={text.purge(count)}
          keep={text.purgeKeep}
          onConfirm={purge}
        >
          {count === 0 ? text.purgeNone : text.purge(count)}
        </AskedButton>
      )}
    </Care>
  );
}

interface CareRowProps {
  row: { label: string; help: string };
  /** What came of it; null = nothing yet. */
  outcome: string | null;
  failure: Failure | null;
  more?: ReactNode;
  children: (helpId: string) => ReactNode;
}

function Care({ row, outcome, failure, more, children }: CareRowProps) {
  return (
    <>
      <SettingRow {...row}>{children}</SettingRow>
      <output className={storageStyles.outcome}>
        {outcome !== null && (
          <span className={settingsStyles.ofState}>
            <Mark icon="done" tone="ok" />
            {outcome}
          </span>
        )}
      </output>
      {failure && <FailureLine failure={failure} />}
      {more}
    </>
  );
}
