import { useMemo, useState } from 'react';
import { Combobox } from '@base-ui/react/combobox';
import type { EngineState, ModelInfo } from '../../../protocol/model.ts';
import { composer, engine as engineText, shell } from '../../text.ts';
import { examBadge } from '../../components/exam-view.tsx';
import { Icon } from '../../components/icon.tsx';
import { ChoiceWords, Menu, MenuChoices, MenuItem, MenuNote, type Choice } from '../../components/menu.tsx';
import { commandNames, useCommands } from '../../commands/commands.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { usePrices } from '../../commands/use-prices.ts';
import { canChat, effectiveModel } from '../../stores/derive.ts';
import { modelState } from '../../stores/model-state.ts';
import { modelPrice, type Price } from '../../../rules/price.ts';
import { useEngine, useHost, useSession } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useTarget } from '../../stores/use-target.ts';
import { chip } from './chip.tsx';
import { abilityWords, listedModels, loadWords } from './model-words.ts';
import { useSpokenMemo } from '../../components/language.ts';
import styles from './composer.module.css';
import menuStyles from '../../components/menu.module.css';

const text = composer.model;
const { everywhere } = text;

/** Stand for "the profile decides", and for where a model is got: never the name of a model. */
const [auto, wayToModels] = ['', ' '];
/** As many as a person looks through; more are searched. */
const atAGlance = 8;
/** Of a server that lists more than anybody can look at: rows that are drawn, and models whose load is priced. */
const [maxListed, maxPriced] = [200, 100];

export function ModelChip() {
  const target = useTarget();
  const engine = useEngine((state) => state.engine);
  const model = effectiveModel(target, engine);
  const trigger = chip('cpu', text.label, model ?? (engine ? text.none : text.label));
  const count = (engine?.models ?? []).filter(canChat).length;
  const hasHosts = useHost(({ hosts }) => hosts.size > 0);
  if (hasHosts) return <SearchedModels trigger={trigger} words={everywhere} />;
  if (count > atAGlance) return <SearchedModels trigger={trigger} words={text} />;
  return (
    <Menu side="top" trigger={trigger}>
      {engine === null ? (
        <MenuNote>{shell.connecting.engine}</MenuNote>
      ) : count === 0 ? (
        <NoModels isRunning={engine.status.kind === 'running'} />
      ) : (
        <ListedModels />
      )}
    </Menu>
  );
}

/** There is nothing to choose: the menu says why and leads to where that changes. */
function NoModels({ isRunning }: { isRunning: boolean }) {
  const { run } = useCommands();
  const { icon, label, lead } = useWayToModels(isRunning);
  return (
    <>
      <MenuNote>{isRunning ? text.noneInstalled : text.notRunning}</MenuNote>
      <MenuItem icon={icon} onClick={lead}>
        {label}
      </MenuItem>
      {!isRunning && (
        <MenuItem icon="plug" onClick={() => void run('server/add')}>
          {commandNames['server/add']}
        </MenuItem>
      )}
    </>
  );
}

/** Where there is no installed model. */
function useWayToModels(isRunning: boolean): { icon: 'get' | 'cpu'; label: string; lead: () => void } {
  const { run } = useCommands();
  return isRunning
    ? { icon: 'get', label: text.get, lead: () => void run('view/settings-of', { section: 'models' }) }
    : { icon: 'cpu', label: text.setUp, lead: () => void run('first-run/open') };
}

/** Made only while it is open: until then nobody has to know a price. */
function ListedModels() {
  const { choices, withFacts, chosen, choose, note } = useModelChoices();
  return (
    <MenuChoices
      heading={text.heading}
      value={chosen}
      choices={choices.map(withFacts)}
      onChoose={choose}
      {...(note !== null && { note })}
    />
  );
}

interface SearchedProps {
  trigger: ReturnType<typeof chip>;
  words: { heading: string; nothing: string };
}

/** Other servers are asked for their models each time it opens. */
function SearchedModels({ trigger, words }: SearchedProps) {
  const [opened, setOpened] = useState(0);
  const others = useHostModels(opened);
  const installed = useModelChoices();
  const { chosen, choose, hasNone, isRunning } = installed;
  const { label, lead } = useWayToModels(isRunning);
  const choices = useMemo(
    () => [...installed.choices, ...others.choices, ...(hasNone ? [{ value: wayToModels, label }] : [])],
    [installed.choices, others.choices, hasNone, label],
  );
  const notes = [...others.notes, installed.note].filter((note) => note !== null);
  return (
    <Combobox.Root
      onOpenChange={(isOpen) => isOpen && setOpened((count) => count + 1)}
      limit={maxListed}
      items={choices}
      value={choices.find(({ value }) => value === chosen) ?? null}
      isItemEqualToValue={(one: ModelChoice, other: ModelChoice) => one.value === other.value}
      onValueChange={(choice: ModelChoice | null) =>
        choice && (choice.value === wayToModels ? lead() : choose(choice.value))
      }
      autoHighlight
    >
      <Combobox.Trigger render={trigger} />
      <Combobox.Portal render={<section aria-label={shell.menu} />}>
        <Combobox.Positioner className={menuStyles.layer} side="top" align="start" sideOffset={4}>
          <Combobox.Popup className={`${menuStyles.menu} ${styles.searched}`} aria-label={words.heading}>
            <div className="input">
              <Icon name="search" />
              <Combobox.Input placeholder={text.search} aria-label={text.search} />
            </div>
            <Combobox.Empty className={`${menuStyles.head} ${styles.nothing}`}>
              {words.nothing}
            </Combobox.Empty>
            <Combobox.List className={styles.options}>
              {(choice: ModelChoice) => (
                <ModelOption key={choice.value} choice={installed.withFacts(choice)} />
              )}
            </Combobox.List>
            {notes.map((note) => (
              <p key={note} className={menuStyles.head}>
                {note}
              </p>
            ))}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function ModelOption({ choice }: { choice: ModelChoice }) {
  return (
    <Combobox.Item
      value={choice}
      className={choice.help ? `${menuStyles.item} ${menuStyles.tall}` : menuStyles.item}
    >
      <span className={menuStyles.tick}>
        <Combobox.ItemIndicator render={<Icon name="check" />} />
      </span>
      <ChoiceWords choice={choice} />
    </Combobox.Item>
  );
}

type ModelChoice = Choice<string>;

/** What the other servers have, and what is to be said of them. @param opened how often the menu was; 0 = never, and nobody is asked */
function useHostModels(opened: number): { choices: ModelChoice[]; notes: string[] } {
  const hasHosts = useHost(({ hosts }) => hosts.size > 0);
  const engine = useEngine((state) => state.engine);
  const key = hasHosts && opened > 0 ? `host-models ${String(opened)}` : null;
  const { value, failure } = useAnswer(key, (ask) => ask.hostModels());
  const choices = useSpokenMemo(
    () =>
      (value ?? []).flatMap(({ name, models }) =>
        models.map((model) => ({ value: model, label: model, help: everywhere.on(name) })),
      ),
    [value],
  );
  if (!hasHosts) return { choices, notes: [] };
  const problems = (value ?? []).flatMap(({ name, problem }) => {
    if (problem === null) return [];
    return problem.code === 'engine_unavailable'
      ? everywhere.silent(name)
      : everywhere.unlisted(name, `${problem.message} ${problem.advice}`.trim());
  });
  const asking = value === null && failure === null ? [everywhere.asking] : [];
  const own =
    engine === null ? [shell.connecting.engine] : engine.status.kind === 'running' ? [] : [text.notRunning];
  return { choices, notes: [...own, ...asking, ...problems, ...(failure ? [failure.message] : [])] };
}

const nothing: Pick<EngineState, 'models' | 'loaded'> = { models: [], loaded: [] };

/** What can be chosen, with what each is and costs, made when it is shown; below them what all of them cost alike. */
function useModelChoices() {
  const { run } = useCommands();
  const pricing = usePricing();
  const { models: installed, loaded } = pricing.engine ?? nothing;
  const models = useSpokenMemo(() => listedModels({ models: installed, loaded }), [installed, loaded]);
  const byName = useMemo(() => new Map(models.map((model) => [model.name, model])), [models]);
  const choices = useSpokenMemo(
    (): ModelChoice[] => [
      { value: auto, label: text.auto },
      ...models.map(({ name }) => ({ value: name, label: name })),
    ],
    [models],
  );
  const nearest = models.slice(0, maxPriced);
  const contextTokens = pricing.target.profile?.contextTokens;
  const prices = usePrices(
    contextTokens === undefined
      ? []
      : nearest.map(({ name }) => ({ price: modelPrice(pricing, name), contextTokens })),
  );
  const priced = (name: string): Price =>
    prices[nearest.findIndex((model) => model.name === name)] ?? modelPrice(pricing, name);
  const exams = useHost((host) => host.exams);
  const examWords = ({ digest }: ModelInfo): string => {
    const found = exams?.find((exam) => exam.digest === digest);
    return (found && examBadge(found)) ?? '';
  };
  const current = effectiveModel(pricing.target, pricing.engine);
  const reread = nearest.map(({ name }) => priced(name).reread).find((price) => price !== null);
  return {
    choices,
    /** The engine has said what is installed, and it is nothing that chats. */
    hasNone: pricing.engine !== null && models.length === 0,
    isRunning: pricing.engine?.status.kind === 'running',
    withFacts: (choice: ModelChoice): ModelChoice => {
      const model = byName.get(choice.value);
      if (!model) return choice;
      const words = [
        abilityWords(model, pricing.target.profile),
        examWords(model),
        loadWords(priced(model.name)),
      ];
      return {
        ...choice,
        meta: <Standing model={model} current={model.name === current} price={priced(model.name)} />,
        help: words.filter((word) => word !== '').join('. '),
      };
    },
    chosen: pricing.target.chosenModel ?? auto,
    note: reread ? text.rereads(reread.tokens) : null,
    choose: (chosen: string) => void run('session/set-model', { model: chosen === auto ? null : chosen }),
  };
}

const marks = { loading: 'clock', warm: 'warmth', hot: 'hot' } as const;

interface StandingProps {
  model: ModelInfo;
  current: boolean;
  price: Price;
}

/** On the GPU: how ready it is. Elsewhere: what loading it takes. */
function Standing({ model, current, price: { load } }: StandingProps) {
  const engine = useEngine((state) => state.engine);
  const warmth = useSession((session) => session.state?.warmth);
  const state = engine ? modelState(engine, model.name, warmth) : 'unknown';
  // What the engine holds is the prompt of this session for its own model.
  const shown = state === 'hot' && !current ? 'warm' : state;
  if (shown !== 'hot' && shown !== 'warm' && shown !== 'loading') {
    return text.loads(load?.bytes ?? model.sizeBytes, load?.ms ?? null);
  }
  return (
    <span className="st">
      <Icon name={marks[shown]} className={styles.lit} />
      {engineText.states[shown]}
    </span>
  );
}
