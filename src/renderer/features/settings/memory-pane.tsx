import { useEffect, useRef, useState } from 'react';
import type { MemoryContents, Remembered } from '../../../protocol/person-methods.ts';
import { dates, person } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { useHost } from '../../stores/stores.ts';
import { ActionButton, AskedButton, FindField, Switch } from './controls.tsx';
import { ChangedNote } from './changed-note.tsx';
import { FactRow, ForgottenRow } from './fact-row.tsx';
import { EmptyNote, FailureLine, ListGroup, ListWords, SettingGroup, SettingRow } from './pane-parts.tsx';
import { MemoryMeaning } from './memory-meaning.tsx';
import { matchesAll, wordsOf } from './search-words.ts';
import { useAsked, useAttempt } from './use-attempt.ts';
import { Button } from '../../components/button.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { useEscape } from '../../components/use-key-down.ts';
import { TextArea } from './form-dialog.tsx';
import settingsStyles from './settings.module.css';
import memoryStyles from './memory.module.css';

const text = person.memory;
const { rows } = text;

/** Everything Andiron remembers about the person: to be read, changed, forgotten, and switched off by profile. */
export function MemoryPane() {
  const changes = useHost((host) => host.memoryChanges ?? 0);
  const { value, failure, again } = useAsked(`memory:${changes}`, (ask) => ask.memory());
  // What was told last stays when it cannot be asked for again, with what is being written in it.
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  const contents = value ?? last;
  return (
    <div className={settingsStyles.pane}>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      <Facts facts={contents?.facts ?? null} failed={failure !== null} />
      <SettingGroup {...rows.summary}>
        {contents && <MemorySummary summary={contents.summary} />}
      </SettingGroup>
      {contents && <MemoryMeaning meaning={contents.meaning} />}
      <SettingGroup {...rows.profiles}>
        <Profiles />
      </SettingGroup>
      <ForgetAll facts={contents?.facts.length ?? null} hasSummary={contents?.summary != null} />
    </div>
  );
}

interface FactsProps {
  /** null = not answered yet. */
  facts: Remembered[] | null;
  failed: boolean;
}

function Facts({ facts, failed }: FactsProps) {
  const { actions } = useCommands();
  const [query, setQuery] = useState('');
  // What was forgotten here stays in its place with its Undo, until the pane is left.
  const [forgotten, setForgotten] = useState<Remembered[]>([]);
  const { failure, attempt } = useAttempt();
  const known = facts ?? [];
  const gone = forgotten.filter(({ id }) => known.every((fact) => fact.id !== id));
  const all = [...known, ...gone].toSorted(byName);
  const words = wordsOf(query);
  const shown = all.filter((fact) => matchesAll(`${fact.category} ${factName(fact)} ${fact.value}`, words));
  const groups = Map.groupBy(shown, ({ category }) => category);

  const forget = async (fact: Remembered): Promise<void> => {
    if (await attempt(() => actions.forgetFact(fact.id))) setForgotten((before) => [...before, fact]);
  };
  return (
    <SettingGroup
      {...rows.facts}
      aside={facts && facts.length > 0 && <span className="meta num">{text.facts(facts.length)}</span>}
    >
      {facts === null && !failed && <p className={`t3 ${settingsStyles.setNote}`}>{text.asking}</p>}
      {facts && all.length === 0 && <EmptyNote text={text.empty} help={text.emptyHelp} />}
      {all.length > 0 && (
        <FindField
          type="search"
          className={memoryStyles.findFacts}
          label={text.find}
          value={query}
          onSearch={setQuery}
        />
      )}
      {failure && <FailureLine failure={failure} />}
      {all.length > 0 && shown.length === 0 && <EmptyNote text={text.nothing(query.trim())} />}
      {[...groups].map(([category, members]) => (
        <ListGroup key={category} title={plain(category)}>
          {members.map((fact) =>
            gone.includes(fact) ? (
              <ForgottenRow key={fact.id} name={factName(fact)} onUndo={() => actions.restoreFact(fact.id)} />
            ) : (
              <FactRow
                key={fact.id}
                fact={fact}
                name={factName(fact)}
                onChange={(value) => actions.updateFact(fact.id, value)}
                onForget={() => void forget(fact)}
              />
            ),
          )}
        </ListGroup>
      ))}
    </SettingGroup>
  );
}

function Profiles() {
  const { actions } = useCommands();
  const profiles = useHost((host) => host.profiles);
  const { failure, attempt } = useAttempt();
  return (
    <>
      <ul className={settingsStyles.setList}>
        {profiles.map(({ id, name, description, memoryEnabled }) => (
          <li key={id}>
            <ListWords
              name={name}
              help={
                <span className="cut block" dir="auto">
                  {description}
                </span>
              }
              helpId={`remembers-${id}`}
            />
            <Switch
              label={name}
              describedBy={`remembers-${id}`}
              on={memoryEnabled}
              onChange={(on) => void attempt(() => actions.updateProfile(id, { memoryEnabled: on }))}
            />
          </li>
        ))}
      </ul>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function ForgetAll({ facts, hasSummary }: { facts: number | null; hasSummary: boolean }) {
  const { actions } = useCommands();
  const [done, setDone] = useState<number | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const nothing = facts === null || (facts === 0 && !hasSummary);
  return (
    <div className={settingsStyles.care}>
      <SettingRow {...rows.clear}>
        {(helpId) => (
          <AskedButton
            kind="danger"
            busy={busy || nothing}
            describedBy={helpId}
            title={text.clearTitle}
            text={text.clearText(facts ?? 0)}
            confirm={text.clear}
            keep={text.clearKeep}
            onConfirm={() => void attempt(async () => setDone(await actions.forgetAll()))}
          >
            {text.clear}
          </AskedButton>
        )}
      </SettingRow>
      {done !== null && <output className={`t2 ${settingsStyles.setNote}`}>{text.cleared(done)}</output>}
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}

/** As a person would say it: names are stored in lower case with underscores. */
const factName = ({ key }: Remembered): string => plain(key);

const plain = (name: string): string => name.replaceAll('_', ' ');

const byName = (a: Remembered, b: Remembered): number =>
  dates.compare(a.category, b.category) || dates.compare(a.key, b.key);

/** What new sessions begin with. What the person writes here stays theirs. */
function MemorySummary({ summary }: Pick<MemoryContents, 'summary'>) {
  const { actions } = useCommands();
  const saved = summary?.text ?? '';
  /** What is typed, and the summary that it was begun with. */
  const [draft, setDraft] = useState<{ text: string; base: string } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const form = useRef<HTMLDivElement>(null);
  const write = useRef<HTMLButtonElement>(null);
  const isWriting = draft !== null;
  const wasWriting = useRef(false);
  useEffect(() => {
    // The keyboard goes back to where the writing began: the field is gone.
    if (wasWriting.current && !isWriting) write.current?.focus();
    wasWriting.current = isWriting;
  }, [isWriting]);
  const leave = (): void => setDraft(null);
  useEscape(form, draft === null ? null : leave);
  const save = async (): Promise<void> => {
    if (draft !== null && (await attempt(() => actions.setSummary(draft.text)))) leave();
  };
  return (
    <div ref={form} className={`${settingsStyles.setNote} ${memoryStyles.summaryOf}`}>
      {draft !== null && draft.base !== saved && !busy && (
        <ChangedNote
          title={text.summaryChanged}
          help={text.summaryChangedHelp}
          now={text.summaryNow}
          saved={saved === '' ? text.summaryGone : saved}
        />
      )}
      {draft === null ? (
        <p className={summary ? memoryStyles.factValue : 't2'} dir="auto">
          {summary?.text ?? text.summaryNone}
        </p>
      ) : (
        <SummaryField value={draft.text} onType={(text) => setDraft({ ...draft, text })} />
      )}
      {failure && <FailureLine failure={failure} />}
      <div className={memoryStyles.summaryActs}>
        {draft === null ? (
          <>
            <Button ref={write} small onClick={() => setDraft({ text: saved, base: saved })}>
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
                {summary.byPerson ? text.summaryByYou : text.summaryByModel}, {dates.dayOf(summary.updatedAt)}
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

function SummaryField(given: { value: string; onType: (typed: string) => void }) {
  const field = useFocusAtEnd();
  return <TextArea ref={field} rows={4} aria-label={text.rows.summary.label} dir="auto" {...given} />;
}
