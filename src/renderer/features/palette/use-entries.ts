import { useState } from 'react';
import type { EngineState, ModelInfo, SessionSummary } from '../../../protocol/model.ts';
import { commandNames, useCommands, type Commands } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { useProfilePrices } from '../../commands/use-profile-prices.ts';
import type { IconName } from '../../components/icon.tsx';
import { priceWords } from '../../components/price-words.ts';
import { canCallTools, canChat, loadedModel } from '../../stores/derive.ts';
import { useEngine, useHost, useUi } from '../../stores/stores.ts';
import type { SettingsSection } from '../../stores/ui-store.ts';
import { usePayer } from '../../stores/use-payer.ts';
import { commands, composer, settings } from '../../text.ts';
import type { Entry } from './ranking.ts';

const text = commands.palette;

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

/** Everything that the palette could list now. Commands are asked once, when it opens. */
export function useEntries(): PaletteEntry[] {
  const registry = useCommands();
  const [ofCommands] = useState(() => commandEntries(registry));
  return [
    ...ofCommands,
    ...useSessionEntries(registry),
    ...useProfileEntries(registry),
    ...useModelEntries(registry),
    ...sectionEntries(registry),
  ];
}

function commandEntries({ registry, shortcuts, run, mac }: Commands): PaletteEntry[] {
  return shortcuts.ids.flatMap((id) => {
    const { enabled, why } = registry[id];
    const possible = enabled();
    // It would lead to where one is, or it has nothing to say about why it does nothing.
    if (id === 'view/palette' || (!possible && why === null)) return [];
    const keys = shortcuts.of(id);
    return {
      id,
      group: 'commands' as const,
      name: commandNames[id],
      why: possible ? null : why,
      icon: 'right' as const,
      quiet: 0,
      detail: '',
      keys: keys === null ? undefined : keyCaps(keys, mac),
      run: () => void run(id),
    };
  });
}

function useSessionEntries({ run }: Commands): PaletteEntry[] {
  const sessions = useHost((host) => host.sessions);
  const openId = useUi((ui) => ui.openSessionId);
  return sessions
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ id, title, workspace, status, pinned }) => ({
      id: `session:${id}`,
      group: 'sessions',
      name: title,
      beside: workspace,
      why: id === openId ? text.open : null,
      icon: pinned ? 'pin' : 'idle',
      quiet: 0,
      detail: folderOf(workspace),
      place: workspace,
      status,
      run: () => void run('session/open', { sessionId: id }),
    }));
}

/** Of whichever platform: its last part tells it from the others. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

function useProfileEntries({ run }: Commands): PaletteEntry[] {
  const payer = usePayer();
  const profiles = useHost((host) => host.profiles);
  const priced = useProfilePrices(payer, profiles);
  return profiles.map(({ id, name, description }) => ({
    id: `profile:${id}`,
    group: 'profiles',
    ...named(text.profile, name),
    beside: description,
    why: id === payer.target.profile?.id ? text.current : null,
    icon: 'user',
    detail: priceWords(priced(id)),
    run: () => void run('session/set-profile', { profileId: id }),
  }));
}

function useModelEntries({ run }: Commands): PaletteEntry[] {
  const { target } = usePayer();
  const engine = useEngine((state) => state.engine);
  const models = engine?.models.filter(canChat) ?? [];
  const choose = (model: string | null) => () => void run('session/set-model', { model });
  const base = { group: 'models', icon: 'cpu' } as const;
  return [
    {
      ...base,
      id: 'model-of-profile',
      ...named(text.model, text.modelOfProfile),
      why: target.chosenModel === null ? text.current : null,
      detail: '',
      run: choose(null),
    },
    ...models.map((model) => ({
      ...base,
      id: `model:${model.name}`,
      ...named(text.model, model.name),
      why: target.chosenModel === model.name ? text.current : null,
      detail: modelDetail(model, engine),
      run: choose(model.name),
    })),
  ];
}

/** As the chip says it: nothing to load where it is loaded, else its size. */
function modelDetail(model: ModelInfo, engine: EngineState | null): string {
  const { loaded, loads, noTools } = composer.model;
  const price = loadedModel(engine, model.name) ? loaded : loads(model.sizeBytes);
  return canCallTools(model) === false ? `${noTools}, ${price}` : price;
}

function sectionEntries({ run }: Commands): PaletteEntry[] {
  return (Object.keys(settings.sections) as SettingsSection[]).map((section) => ({
    id: `settings:${section}`,
    group: 'settings',
    ...named(text.setting, settings.sections[section]),
    why: null,
    icon: 'sliders',
    detail: '',
    run: () => void run('view/settings-of', { section }),
  }));
}

/** "Profile: Writer", of which only "Writer" is the name. */
function named(full: (name: string) => string, name: string): { name: string; quiet: number } {
  const whole = full(name);
  return { name: whole, quiet: Math.max(0, whole.indexOf(name)) };
}
