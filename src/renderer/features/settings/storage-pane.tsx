import type { StoragePart, StorageSizes } from '../../../protocol/person-methods.ts';
import { dates, person } from '../../text.ts';
import { bytes } from '../../formats.ts';
import { CopyButton } from '../../components/code/code-block.tsx';
import { timeOfDay } from '../../components/time-of-day.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { FailureLine, SettingGroup, SettingRow } from './pane-parts.tsx';
import { useAsked, useAttempt, type Failure } from './use-attempt.ts';
import { useRef, useState, type ReactNode } from 'react';
import { useCommands } from '../../commands/commands.ts';
import { Mark } from '../../components/state-mark.tsx';
import { ActionButton, AskedButton } from './controls.tsx';
import settingsStyles from './settings.module.css';
import storageStyles from './storage.module.css';

const text = person.storage;
const { rows } = text;

/** Where everything lies, how large it is, and what can be tidied up. Whatever could not be measured is called unknown. */
export function StoragePane() {
  const { value: sizes, failure, again } = useAsked('storage', (ask) => ask.storage());
  return (
    <div className={settingsStyles.pane}>
      <SettingGroup {...rows.folder} aside={sizes && <CopyButton text={sizes.dataDir} />}>
        <p className={`${settingsStyles.setNote} mono ${storageStyles.dataPath}`} title={sizes?.dataDir}>
          {sizes?.dataDir ?? (failure ? text.unknown : text.asking)}
        </p>
      </SettingGroup>
      <SettingGroup
        {...rows.sizes}
        aside={
          sizes && (
            <span className={storageStyles.measured}>
              <span className="meta num">{text.at(timeOfDay(sizes.at))}</span>
              <IconButton icon="redo" label={text.again} onClick={again} />
            </span>
          )
        }
      >
        {failure && (
          <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />
        )}
        {!sizes && !failure && <p className={`t3 ${settingsStyles.setNote}`}>{text.measuring}</p>}
        {sizes && <Sizes sizes={sizes} />}
      </SettingGroup>
      <StorageCare sizes={sizes} onChanged={again} />
    </div>
  );
}

const order: StoragePart[] = [
  'database',
  'attachments',
  'backups',
  'undo',
  'engine',
  'models',
  'logs',
  'other',
];

function Sizes({ sizes }: { sizes: StorageSizes }) {
  const { parts, freeBytes } = sizes;
  const known = order.map((part) => parts[part]);
  const total = known.reduce<number | null>(
    (sum, size) => (sum === null || size === null ? null : sum + size),
    0,
  );
  return (
    <dl className={`${storageStyles.sizes} num`}>
      {order.map((part) => (
        <div key={part} className={parts[part] === 0 ? storageStyles.isNone : ''}>
          <dt>{text.parts[part]}</dt>
          <dd>{sized(parts[part])}</dd>
          {part === 'database' && <InDatabase sizes={sizes} />}
        </div>
      ))}
      <div className={storageStyles.sumOf}>
        <dt>{text.total}</dt>
        <dd>{sized(total)}</dd>
      </div>
      <div>
        <dt>{text.free}</dt>
        <dd>{freeBytes === null ? text.unknown : bytes(freeBytes)}</dd>
      </div>
    </dl>
  );
}

/** What the database is made of, under its own figure. */
function InDatabase({ sizes: { sessions, deleted, unusedBytes, parts } }: { sizes: StorageSizes }) {
  const { inDatabase: words } = text;
  const rest = parts.database === null ? null : parts.database - sessions.bytes - deleted.bytes - unusedBytes;
  return (
    <dd className={`${storageStyles.inside} meta`}>
      <span>{words.sessions(sessions.count)}</span>
      <span>{bytes(sessions.bytes)}</span>
      {deleted.count > 0 && (
        <>
          <span>
            {words.deleted(deleted.count)}
            {deleted.nextAt !== null && `, ${words.nextAt(dates.dayOf(deleted.nextAt))}`}
          </span>
          <span>{bytes(deleted.bytes)}</span>
        </>
      )}
      <span>{words.unused}</span>
      <span>{bytes(unusedBytes)}</span>
      {rest !== null && rest > 0 && (
        <>
          <span>{words.rest}</span>
          <span>{bytes(rest)}</span>
        </>
      )}
    </dd>
  );
}

function sized(size: number | null): string {
  if (size === null) return text.unknown;
  return size === 0 ? text.none : bytes(size);
}

interface CareProps {
  sizes: StorageSizes | null;
  /** Something is larger or smaller now. */
  onChanged: () => void;
}

/** What a person can do about the data folder; each says under itself what came of it. */
function StorageCare(props: CareProps) {
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
