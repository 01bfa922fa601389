import { useEffect, useId, useRef, useState } from 'react';
import type { ListedBinding, ListedPersona } from '../../../protocol/inbox-methods.ts';
import { chooseModel, effectiveModel } from '../../../rules/choose-model.ts';
import { isOnHost } from '../../../rules/model-names.ts';
import { Button } from '../../components/button.tsx';
import { useEngine, useHost } from '../../stores/stores.ts';
import { bindingsPane as text } from '../../text.ts';
import { BindingRow, placeName, type BindingFacts } from './binding-row.tsx';
import { EmptyNote, FailureLine, SettingGroup } from './pane-parts.tsx';
import { PersonaList } from './persona-list.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import { useOpening } from './use-opening.ts';
import { useEscape } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import settingsStyles from './settings.module.css';
import peopleStyles from './people.module.css';

/** What answers where, and as whom. */
export function BindingsPane() {
  const changes = useHost((host) => host.bindingChanges ?? 0);
  const { value, failure, again } = useAsked(`bindings:${changes}`, (ask) => ask.bindings());
  const facts = useBindingFacts(value?.personas ?? []);
  return (
    <div className={settingsStyles.pane}>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      <SettingGroup {...text.rows.test}>
        <PlaceTest changes={changes} facts={facts} />
      </SettingGroup>
      <Places bindings={value?.bindings ?? null} isAsking={!value && !failure} facts={facts} />
      <PersonaList personas={value?.personas ?? null} />
    </div>
  );
}

function useBindingFacts(personas: readonly ListedPersona[]): BindingFacts {
  const profiles = useHost((host) => host.profiles);
  const defaultId = useHost((host) => host.defaults?.profileId);
  const hostIds = useHost((host) => host.hosts);
  const installed = useEngine(({ engine }) => (engine?.modelsReadAt == null ? null : engine.models));
  const nameOf = (id: string): string => profiles.find((profile) => profile.id === id)?.name ?? id;
  return {
    profiles,
    personas,
    defaultId: defaultId ?? profiles[0]?.id ?? '',
    nameOf,
    isGone: (id) => profiles.length > 0 && profiles.every((profile) => profile.id !== id),
    isMissing: (model) =>
      installed !== null && !isOnHost(model, hostIds) && chooseModel(installed, [], model).kind === 'missing',
    answers(profileId, model) {
      const models = profiles.find(({ id }) => id === profileId)?.models ?? [];
      const wanted = model === null ? models : [model, ...models];
      return installed && effectiveModel({ chosen: null, wanted, hosts: hostIds, installed });
    },
  };
}

/** What a message from a place would be answered with, as it is typed. */
function PlaceTest({ changes, facts }: { changes: number; facts: BindingFacts }) {
  const [platform, setPlatform] = useState('');
  const [server, setServer] = useState('');
  const at = { platform: platform.trim(), server: server.trim() };
  const key = `answer at:${String(changes)}:${JSON.stringify(at)}`;
  const { value, failure } = useAsked(key, (ask) => ask.answerAt(at.platform, at.server));
  return (
    <div className={peopleStyles.placeTest}>
      <p className={peopleStyles.placeAsked}>
        <span className="t2">{text.messageOn}</span>
        <PlaceField label={text.testPlatform} hint={text.platform} value={platform} onChange={setPlatform} />
        <span className="t2">{text.in}</span>
        <PlaceField label={text.testServer} hint={text.server} value={server} onChange={setServer} />
        <span className="t2">{text.wouldUse}</span>
      </p>
      {failure && <FailureLine failure={failure} />}
      <output>{value && <AnswerWords {...value} facts={facts} />}</output>
    </div>
  );
}

interface PlaceFieldProps {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

function PlaceField({ label, hint, value, onChange }: PlaceFieldProps) {
  return (
    <TextInput
      aria-label={label}
      placeholder={hint}
      value={value}
      dir="auto"
      spellCheck={false}
      onType={onChange}
    />
  );
}

interface AnswerWordsProps {
  binding: ListedBinding | null;
  profileId: string;
  facts: BindingFacts;
}

function AnswerWords({ binding, profileId, facts }: AnswerWordsProps) {
  const model = binding?.model ?? null;
  const answers = facts.answers(profileId, model);
  const persona = facts.personas.find(({ id }) => id === binding?.personaId);
  const why = [
    binding ? text.fromBinding(placeName(binding)) : text.fromNone,
    ...(model !== null && facts.isMissing(model) ? [text.modelMissing(model)] : []),
    ...(facts.isGone(profileId) ? [text.profileMissing(facts.nameOf(facts.defaultId))] : []),
    ...(binding?.hasBadModules ? [text.badModules] : []),
    ...(binding?.maxOutputTokens == null ? [] : [text.upTo(binding.maxOutputTokens)]),
  ];
  return (
    <>
      <span className="block">
        <span className="medium" dir="auto">
          {text.onModel(facts.nameOf(profileId), answers)}
        </span>{' '}
        {persona && (
          <span className="t2" dir="auto">
            {text.as(persona.name)}
          </span>
        )}
      </span>
      <span className="meta num block">{why.join(' ')}</span>
    </>
  );
}

interface PlacesProps {
  bindings: readonly ListedBinding[] | null;
  isAsking: boolean;
  facts: BindingFacts;
}

function Places({ bindings, isAsking, facts }: PlacesProps) {
  const { isOpen: adding, opener, close, toggle } = useOpening();
  const [added, setAdded] = useState<string | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const isEverywhere = bindings?.some(({ platform }) => platform === '') === true;
  return (
    <SettingGroup
      {...text.rows.places}
      aside={
        <Button ref={opener} small aria-expanded={adding} onClick={toggle}>
          {text.add}
        </Button>
      }
    >
      <div ref={group} tabIndex={-1}>
        {isAsking && <p className={`t3 ${settingsStyles.setNote}`}>{text.asking}</p>}
        {adding && (
          <NewBinding
            taken={bindings ?? []}
            profileId={facts.defaultId}
            onAdded={(place) => {
              setAdded(place);
              close();
            }}
            onCancel={close}
          />
        )}
        {bindings?.length === 0 && !adding && (
          <EmptyNote text={text.none} help={text.noneHelp(facts.nameOf(facts.defaultId))} />
        )}
        <ul className={settingsStyles.setList}>
          {bindings?.toSorted(asDecided).map((binding) => (
            <BindingRow
              key={`${binding.id} ${added ?? ''}`}
              binding={binding}
              facts={facts}
              startsOpen={placeName(binding) === added}
              onRemoved={() => group.current?.focus()}
            />
          ))}
          {bindings && bindings.length > 0 && !isEverywhere && (
            <li className={peopleStyles.binding}>
              <span>{text.anyPlatform}</span>
              <span className="t2">{facts.nameOf(facts.defaultId)}</span>
            </li>
          )}
        </ul>
      </div>
    </SettingGroup>
  );
}

/** As they are decided: the servers of a platform before the rest of it, and everywhere else last. */
function asDecided(one: ListedBinding, other: ListedBinding): number {
  const [mine, its] = [orderOf(one), orderOf(other)];
  const at = mine.findIndex((part, index) => part !== its[index]);
  return at === -1 ? 0 : (mine[at] ?? '') < (its[at] ?? '') ? -1 : 1;
}

const orderOf = ({ platform, server }: ListedBinding): (string | boolean)[] => [
  platform === '',
  platform,
  server === '',
  server,
];

interface NewBindingProps {
  taken: readonly ListedBinding[];
  /** What answers there until something else is chosen. */
  profileId: string;
  /** With the name of its place. */
  onAdded: (place: string) => void;
  onCancel: () => void;
}

/** The place of a new binding; what answers there is chosen in its row. */
function NewBinding({ taken, profileId, onAdded, onCancel }: NewBindingProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [platform, setPlatform] = useState('');
  const [server, setServer] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  useEscape(form, onCancel);
  const at = { platform: platform.trim(), server: server.trim() };
  const refusal = refusalOf(at, taken);
  const add = async (): Promise<void> => {
    setTried(true);
    if (refusal !== null) return;
    const rest = { personaId: null, model: null, maxOutputTokens: null, modules: null, pauseMs: null };
    const binding = { ...at, profileId, ...rest, isPerPerson: false };
    if (await attempt(() => actions.putBinding(binding))) onAdded(placeName(at));
  };
  return (
    <Form
      ref={form}
      className={`${peopleStyles.newBinding} ${settingsStyles.setNote}`}
      onSubmit={() => !busy && void add()}
    >
      <label htmlFor={`${id}-platform`}>{text.platform}</label>
      <TextInput
        ref={field}
        id={`${id}-platform`}
        value={platform}
        maxLength={40}
        spellCheck={false}
        aria-describedby={`${id}-platform-help`}
        onType={setPlatform}
      />
      <span className="meta" id={`${id}-platform-help`}>
        {text.platformHelp}
      </span>
      <label htmlFor={`${id}-server`}>{text.server}</label>
      <TextInput
        id={`${id}-server`}
        value={server}
        maxLength={200}
        spellCheck={false}
        aria-describedby={`${id}-server-help`}
        onType={setServer}
      />
      <span className="meta" id={`${id}-server-help`}>
        {text.serverHelp}
      </span>
      {tried && refusal !== null && (
        <p className={`fail ${settingsStyles.wholeRow}`} role="alert">
          {refusal}
        </p>
      )}
      {failure && <FailureLine failure={failure} />}
      <span className={`acts ${settingsStyles.wholeRow}`}>
        <Button kind="primary" small type="submit" aria-disabled={busy}>
          {text.addVerb}
        </Button>
        <Button small onClick={onCancel}>
          {text.cancel}
        </Button>
      </span>
    </Form>
  );
}

function refusalOf(
  { platform, server }: Pick<ListedBinding, 'platform' | 'server'>,
  taken: readonly ListedBinding[],
): string | null {
  if (platform === '' && server !== '') return text.serverAlone;
  return taken.some((each) => each.platform === platform && each.server === server) ? text.taken : null;
}
