import { useMemo, useState } from 'react';
import type { LoadedModel, ModelInfo, Profile, SessionSummary } from '../../../protocol/model.ts';
import { commandNames, useCommands, type Commands, type RunCommand } from '../../commands/commands.ts';
import { commandGroups, groupOf } from '../../commands/command-groups.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { useProfilePrices } from '../../commands/use-prices.ts';
import type { IconName } from '../../components/icon.tsx';
import { priceWords } from '../../components/price-words.ts';
import { canChat, wayToTools } from '../../stores/derive.ts';
import { useEngine, useHost, useUi } from '../../stores/stores.ts';
import type { SettingsSection, View } from '../../stores/layout-slice.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useTarget } from '../../stores/use-target.ts';
import { commands, composer, person, sessions as sessionWords, settings } from '../../text.ts';
import { commandsOf, placeOf, type Place } from './place-commands.ts';
import type { Entry } from './ranking.ts';
import { useSpokenMemo } from '../../components/language.ts';

const text = commands.palette;
const words: Partial<Record<keyof typeof commandNames, string>> = commands.searchWords;

export interface PaletteEntry extends Entry {
  icon: IconName;
  /** Letters at the beginning of the name that only say what kind of thing it is. */
  quiet: number;
  /** What it costs, or where it is. */
  detail: string;
  /** The whole of where it is, when pointed at. */
  place?: string;
  keys?: string[] | undefined;
  /** The state of a session, where it has one that shows. */
  status?: SessionSummary['status'];
  run: () => void;
}

/**
 * Everything that the palette could list now; the same entries for as long as they say the same. Commands are asked once,
 * when it opens.
 */
export function useEntries(): PaletteEntry[] {
  const commands = useCommands();
  const { run, web } = commands;
  const view = useUi((ui) => ui.view);
  const openSessionId = useUi((ui) => ui.openSessionId);
  const listed = useHost((host) => host.sessions);
  const [place] = useState(() => ({ view, here: placeOf({ view, openSessionId, sessions: listed }) }));
  const ofCommands = useSpokenMemo(() => commandEntries(commands, place.here), [commands, place]);
  const sections = useSpokenMemo(() => sectionEntries(run, web, place.view), [run, web, place]);
  const sessions = useSessionEntries(run);
  const profiles = useProfileEntries(run);
  const models = useModelEntries(run);
  return useMemo(
    () => [...ofCommands, ...sessions, ...profiles, ...models, ...sections],
    [ofCommands, sessions, profiles, models, sections],
  );
}

/** Those of the place first; the others as a person looks for them, by what they are about. */
function commandEntries({ registry, shortcuts, run, mac }: Commands, place: Place): PaletteEntry[] {
  const here = commandsOf(place);
  const others = commandGroups.flatMap((group) => shortcuts.ids.filter((id) => groupOf(id) === group));
  const ids = [...here, ...others.filter((id) => !here.includes(id))];
  return ids.flatMap((id) => {
    const { enabled, why } = registry[id];
    const possible = enabled();
    // It would lead to where one is, or it has nothing to say about why it does nothing.
    if (id === 'view/palette' || (!possible && why === null)) return [];
    const keys = shortcuts.of(id);
    return {
      id,
      group: 'commands' as const,
      isHere: here.includes(id),
      name: commandNames[id],
      beside: words[id] ?? '',
      why: possible ? null : why,
      icon: 'right' as const,
      quiet: 0,
      detail: '',
      keys: keys === null ? undefined : keyCaps(keys, mac),
      run: () => void run(id),
    };
  });
}

function useSessionEntries(run: RunCommand): PaletteEntry[] {
  const sessions = useHost((host) => host.sessions);
  const openId = useUi((ui) => ui.openSessionId);
  return useSpokenMemo(
    () =>
      sessions
        // What waits for the person is what they look for.
        .toSorted((a, b) => asks(b) - asks(a) || b.updatedAt - a.updatedAt)
        .map(({ id, title, workspace, status, pinned, archivedAt, place }) => ({
          id: `session:${id}`,
          group: 'sessions',
          name: title,
          beside: workspace,
          isHere: archivedAt == null,
          why: id === openId ? text.open : null,
          icon: iconOf(pinned, archivedAt != null),
          quiet: 0,
          detail: archivedAt == null ? whereOf(workspace, place) : sessionWords.archive.mark,
          place: workspace,
          status,
          run: () => void run('session/open', { sessionId: id }),
        })),
    [sessions, openId, run],
  );
}

const asks = ({ status }: SessionSummary): number => Number(status === 'asking');

function iconOf(pinned: boolean, archived: boolean): IconName {
  if (archived) return 'archive';
  return pinned ? 'pin' : 'idle';
}

/** Whoever writes there has no folder that says anything. */
const whereOf = (workspace: string, place: SessionSummary['place']): string =>
  place ? place.person || place.platform : folderOf(workspace);

/** Of whichever platform: its last part tells it from the others. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

function useProfileEntries(run: RunCommand): PaletteEntry[] {
  const pricing = usePricing();
  const profiles = useHost((host) => host.profiles);
  const priced = useProfilePrices(pricing, profiles);
  const current = pricing.target.profile?.id;
  const prices = profiles.map(({ id }) => priceWords(priced(id))).join('\n');
  return useSpokenMemo(() => {
    const details = prices.split('\n');
    return profiles.map(({ id, name, description }, at) => ({
      id: `profile:${id}`,
      group: 'profiles',
      ...named(text.profile, name),
      beside: description,
      why: id === current ? text.current : null,
      icon: 'user',
      detail: details[at] ?? '',
      run: () => void run('session/set-profile', { profileId: id }),
    }));
  }, [profiles, current, prices, run]);
}

function useModelEntries(run: RunCommand): PaletteEntry[] {
  const { chosenModel, profile } = useTarget();
  const models = useEngine((state) => state.engine?.models);
  const loaded = useEngine((state) => state.engine?.loaded);
  return useSpokenMemo(() => {
    const choose = (model: string | null) => () => void run('session/set-model', { model });
    const base = { group: 'models', icon: 'cpu' } as const;
    return [
      {
        ...base,
        id: 'model-of-profile',
        ...named(text.model, text.modelOfProfile),
        why: chosenModel === null ? text.current : null,
        detail: '',
        run: choose(null),
      },
      ...(models ?? []).filter(canChat).map((model) => ({
        ...base,
        id: `model:${model.name}`,
        ...named(text.model, model.name),
        why: chosenModel === model.name ? text.current : null,
        detail: modelDetail(model, loaded ?? [], profile),
        run: choose(model.name),
      })),
    ];
  }, [models, loaded, chosenModel, profile, run]);
}

/** As the chip says it: nothing to load where it is loaded, else its size. */
function modelDetail(model: ModelInfo, inMemory: LoadedModel[], profile: Profile | undefined): string {
  const { loaded, loads } = composer.model;
  const { fixedForm, noTools } = settings.models;
  const price = inMemory.some(({ name }) => name === model.name) ? loaded : loads(model.sizeBytes);
  const way = wayToTools(model, profile);
  if (way === 'none') return `${noTools}, ${price}`;
  return way === 'fixed_form' ? `${fixedForm}, ${price}` : price;
}

function sectionEntries(run: RunCommand, web: boolean, view: View): PaletteEntry[] {
  const sections = (Object.keys(settings.sections) as SettingsSection[]).filter(
    (section) => !web || section !== 'desktop',
  );
  return sections.map((section) => ({
    id: `settings:${section}`,
    group: 'settings',
    isHere: view === 'settings',
    ...named(text.setting, settings.sections[section]),
    beside: wordsOf(section),
    why: null,
    icon: 'sliders',
    detail: '',
    run: () => void run('view/settings-of', { section }),
  }));
}

/** What the rows of a section are also called. */
function wordsOf(section: SettingsSection): string {
  return Object.entries(person.search.searchWords)
    .filter(([row]) => row.startsWith(`${section}.`))
    .map(([, also]) => also)
    .join(' ');
}

/** "Profile: Writer", of which only "Writer" is the name. */
function named(full: (name: string) => string, name: string): { name: string; quiet: number } {
  const whole = full(name);
  return { name: whole, quiet: Math.max(0, whole.indexOf(name)) };
}
