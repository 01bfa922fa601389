/** The registry: every command by name, and the one way to run them. */
import { createContext, useContext } from 'react';
import { commands as names, shell as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { addNotice } from '../stores/ui-store.ts';
import type { Command, Services } from './command.ts';
import {
  createAttachmentCommands,
  createComposerCommands,
  createPromptCommands,
} from './composer-commands.ts';
import {
  createCallCommands,
  createPlanCommands,
  createQueueCommands,
  createTurnCommands,
} from './turn-commands.ts';
import { createCurrentCommands } from './current-commands.ts';
import { isDisconnect, wordsOf, type ErrorWords } from './error-words.ts';
import {
  createAppearanceCommands,
  createKeyCommands,
  createNotificationCommands,
  createShellCommands,
  createViewCommands,
} from './view-commands.ts';
import { createConnectionCommands, createEngineCommands, createUpdateCommands } from './engine-commands.ts';
import { createExportCommands, createImportCommands } from './export-commands.ts';
import { createFirstSession } from './first-session.ts';
import {
  createApprovalModeCommands,
  createListingCommands,
  createSessionCommands,
} from './session-commands.ts';
import { createMessageBox } from './message-box.ts';
import { createSending } from './send-message.ts';
import { createFileCommands } from './file-commands.ts';
import { createFindCommands, createTranscriptCommands } from './transcript-commands.ts';
import { createFirstRunCommands } from './first-run-commands.ts';
import { createHistoryCommands } from './history-commands.ts';
import { createOutsideCommands } from './outside-commands.ts';
import { createProfileCommands } from './profile-commands.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createSettingsActions, type SettingsActions } from './settings-actions.ts';
import { createShortcuts, type Shortcuts } from './shortcuts.ts';

/** The one place that knows all services: each file of commands takes those that it uses. */
function createRegistry(services: Services, attached: Questions['attached']) {
  const { host, engine, stores, desktop, files } = services;
  const box = createMessageBox(stores);
  const firstSession = createFirstSession(host, stores, desktop);
  const sending = createSending(services, box, firstSession);
  const ofSessions = {
    ...createSessionCommands(host, stores, services),
    ...createApprovalModeCommands(host, stores),
    ...createHistoryCommands(host, stores),
    ...createListingCommands(host, stores),
    ...createExportCommands(host, stores, files),
    ...createTurnCommands(host, stores, sending, box),
  };
  return {
    ...ofSessions,
    ...createQueueCommands(host, stores),
    ...createCallCommands(host, stores),
    ...createImportCommands(host, stores.ui, files),
    ...createCurrentCommands(host, stores, ofSessions),
    ...createOutsideCommands(desktop, stores),
    ...createComposerCommands(host, stores, files),
    ...createPromptCommands(host, stores.ui),
    ...createAttachmentCommands(stores.ui, files, attached),
    ...createTranscriptCommands(host, stores),
    ...createFindCommands(host, stores),
    ...createPlanCommands(host, stores),
    ...createFileCommands(host, stores),
    ...createProfileCommands(host, stores),
    ...createEngineCommands(engine, stores.engine),
    ...createFirstRunCommands({
      host,
      engine,
      stores,
      send: sending.send,
      goTo: (address) => window.location.assign(address),
    }),
    ...createViewCommands(stores.ui, desktop?.platform === 'darwin'),
    ...createAppearanceCommands(stores.ui),
    ...createConnectionCommands(host, engine, services.signOut),
    ...createUpdateCommands(desktop?.updates, stores.ui),
    ...createNotificationCommands(stores.ui, services.notifier),
    ...createShellCommands(stores.ui),
    ...createKeyCommands(stores.keys),
  };
}

type Registry = ReturnType<typeof createRegistry>;
type CommandId = keyof Registry;
type ParamsOf<K extends CommandId> = Registry[K] extends Command<infer P> ? P : never;
type Args<K extends CommandId> = ParamsOf<K> extends void ? [] : [params: ParamsOf<K>];

/** Commands that need nothing said: those a key or the palette can run. */
export type PlainCommandId = { [K in CommandId]: Registry[K] extends Command<void> ? K : never }[CommandId];

/** Those that a person may look for: they have a name, and can be given keys. */
export type NamedCommandId = PlainCommandId & keyof typeof names.names;
export const commandNames: Readonly<Record<NamedCommandId, string>> = names.names;

export type RunCommand = <K extends CommandId>(id: K, ...args: Args<K>) => Promise<boolean>;

export interface Commands {
  registry: Registry;
  shortcuts: Shortcuts<NamedCommandId>;
  ask: Questions;
  actions: SettingsActions;
  /** True in a page without the desktop bridge: shortcuts then avoid what browsers keep for themselves. */
  web: boolean;
  mac: boolean;
  /** Runs a command; a failure becomes a notice with what to do next. Resolves true when it worked. */
  run: RunCommand;
}

export function createCommands(services: Services, mac: boolean): Commands {
  const { stores } = services;
  const ask = createQuestions(services);
  const registry = createRegistry(services, ask.attached);
  const web = services.desktop === null;
  const ids = Object.keys(commandNames) as NamedCommandId[];
  return {
    registry,
    shortcuts: createShortcuts(registry, ids, stores.keys, { web, mac }),
    ask,
    actions: createSettingsActions(services),
    web,
    mac,
    run: async (id, ...args) => {
      const isShown = showsTheLoss(stores);
      try {
        const { run } = registry[id] as Command<unknown>;
        await run(args[0]);
        return true;
      } catch (error) {
        if (!isShown || !isDisconnect(error)) {
          const { message, advice } = explain(error);
          addNotice(stores.ui, message, advice);
        }
        return false;
      }
    },
  };
}

function explain(error: unknown): ErrorWords {
  const words = wordsOf(error);
  return isDisconnect(error) ? { ...words, advice: text.perhapsArrived } : words;
}

/** The line above the message box already says that there is no connection, and what is done about it. */
function showsTheLoss({ host, engine, ui }: Stores): boolean {
  const live = host.getState().connection === 'live' && engine.getState().connection === 'live';
  return !live && ui.getState().view === 'session';
}

export const CommandsContext = createContext<Commands | null>(null);

export function useCommands(): Commands {
  const commands = useContext(CommandsContext);
  if (!commands) throw new Error('Render inside <CommandsContext>.');
  return commands;
}
