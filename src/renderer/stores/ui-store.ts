/** What belongs to this window alone: theme, columns, drafts, the open session. Survives a reload. */
import type { UpdateNews } from '../../protocol/updates.ts';
import { createStore } from 'zustand/vanilla';
import { defaultAppearance, readAppearance, type Appearance } from './appearance.ts';
import { nothingUnread, type Attention } from './attention.ts';
import type { ColumnWishes } from './columns.ts';
import { readStoredFiles, storedFiles, withFiles, type DraftFile, type DraftFiles } from './draft-files.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { Profile } from '../../protocol/model.ts';
import { freshFirstRun, readFirstRun, type FirstRunMemory } from './first-run-memory.ts';
import { unsentWords, type Recall } from './recall.ts';
import { isRecord, readRecord, type KeyValueStorage } from './storage.ts';
import { readWrapped, type WrappedLines } from './wrapped-lines.ts';

export type Theme = 'system' | 'dark' | 'light';
/** `slow` = the page that says why it is slow. */
export type View = 'session' | 'settings' | 'slow';
export type SettingsSection =
  | 'profiles'
  | 'models'
  | 'engine'
  | 'approvals'
  | 'appearance'
  | 'memory'
  | 'desktop'
  | 'storage'
  | 'shortcuts'
  | 'about';

/** Key of the draft and choices of a session that does not exist yet: the host creates it with its first message. */
export const newSessionKey = 'new';

/** Everything by its name, every shortcut, or the application menu. */
export type Overlay = 'palette' | 'shortcuts' | 'menu';

export type Room = 'wide' | 'folded' | 'narrow';
export type FocusTarget =
  | 'composer'
  | 'search'
  | 'find'
  | 'approval'
  | 'transcript'
  | 'notices'
  | 'title'
  | 'settings-search'
  | 'folder'
  /** The folder of the message that is written, which was to be sent without one. */
  | 'message-folder';

export interface Finding {
  sessionId: string;
  query: string;
  /** Messages and answers that hold the words, oldest first; null = not known yet. */
  hits: readonly string[] | null;
  /** Everything was looked at. */
  complete: boolean;
  /** The one that is shown. */
  at: number;
}

/** Where the transcript shall go: its ends, or the message before or after what is in view. */
export type Travel = 'begin' | 'end' | 'before' | 'after';

export interface NewSessionChoice {
  workspace?: string;
  profileId?: string;
  model?: string | null;
}

/** Something that went wrong outside the transcript: what happened, what to do next. */
export interface Notice {
  id: number;
  message: string;
  advice: string;
  /** Nothing went wrong: it leaves by itself. */
  news?: true;
  /** The sessions that Undo brings back. */
  restores?: string[];
}

/** A file that could not be taken in as a session. */
export interface ImportProblem {
  name: string;
  message: string;
  advice: string;
}

/** What was found for the words in the search field; null = not answered yet. */
export interface Search {
  query: string;
  found: { hits: SearchHit[]; complete: boolean } | null;
}

export interface SearchHit {
  sessionId: string;
  title: string;
  /** null = the title itself. */
  itemId: string | null;
  snippet: string;
  at: number;
}

export interface UiState extends Appearance {
  theme: Theme;
  leftOpen: boolean;
  rightOpen: boolean;
  columns: ColumnWishes;
  view: View;
  /** Where the settings open. */
  settingsSection: SettingsSection;
  /** The panel above the engine's bar is open. */
  enginePanel: boolean;
  /** null = a new session that has no message yet. */
  openSessionId: string | null;
  drafts: Record<string, string>;
  /** Files that go with what is written. */
  draftFiles: DraftFiles;
  /** Drafts that are among earlier messages now. */
  recalls: Readonly<Record<string, Recall>>;
  newSession: NewSessionChoice;
  firstRun: FirstRunMemory;
  notices: Notice[];
  search: Search;
  /** The only folder whose sessions are listed; null = all. */
  folder: string | null;
  /** Told beside the list until the next import. */
  importProblems: ImportProblem[];
  attention: Attention;
  /** Another version of the window is served by now. */
  outdated: boolean;
  /** What the desktop app says of updates; null = nothing yet, or a browser. */
  updates: UpdateNews | null;
  /** What the transcript shall show as soon as it has it, where these words are; null = nothing is asked for. */
  jump: { sessionId: string; itemId: string; words?: string } | null;
  /** Key of the row that it led to; null = none is marked. */
  sought: string | null;
  /** Asks the transcript to go somewhere; `count` tells two requests apart. */
  travel: { to: Travel; count: number };
  /** Words that are looked for in the open session; null = nobody looks. */
  finding: Finding | null;
  /** A message that is being changed into another version of its turn. */
  editing: { turnId: string; text: string } | null;
  /** Commands that are being written anew, by the question that they answer. */
  commandDrafts: Readonly<Record<string, string>>;
  /** The form of calls that a profile had before a press outside the settings changed it, by profile. */
  callsBefore: Readonly<Record<string, Profile['calls']>>;
  /** The files of a message that are looked at, over the whole window; null = none. */
  looking: { files: readonly Attachment[]; at: number } | null;
  /** Rows of the transcript that were opened or closed by hand. */
  expanded: Record<string, boolean>;
  wrapped: WrappedLines;
  /** How much room there is: `folded` has no right column, `narrow` only a rail on the left as well. */
  room: Room;
  /** A folded column, opened over the transcript. */
  sheet: 'left' | 'right' | null;
  /** What lies over the whole window; null = nothing. */
  overlay: Overlay | null;
  /** Asks one part of the window to take the keyboard; `count` tells two requests apart. */
  focus: { target: FocusTarget; count: number };
}

type Persisted = Pick<UiState, (typeof persistedKeys)[number]>;

export type UiStore = ReturnType<typeof createUiStore>;

const storageKey = 'andiron.ui';
const draftLimit = 50;
const maxNotices = 3;

export function createUiStore(storage: KeyValueStorage) {
  const store = createStore<UiState>(() => ({
    theme: 'system',
    leftOpen: true,
    rightOpen: true,
    columns: { left: null, right: null },
    attention: nothingUnread,
    ...defaultAppearance,
    openSessionId: null,
    drafts: {},
    draftFiles: {},
    wrapped: {},
    firstRun: freshFirstRun,
    ...readPersisted(storage),
    view: 'session',
    settingsSection: 'profiles',
    enginePanel: false,
    recalls: {},
    newSession: {},
    notices: [],
    search: { query: '', found: null },
    folder: null,
    importProblems: [],
    jump: null,
    sought: null,
    finding: null,
    travel: { to: 'end', count: 0 },
    editing: null,
    commandDrafts: {},
    callsBefore: {},
    looking: null,
    expanded: {},
    room: 'wide',
    sheet: null,
    outdated: false,
    updates: null,
    overlay: null,
    focus: { target: 'composer', count: 0 },
  }));
  store.subscribe((state, before) => {
    if (persistedKeys.some((key) => state[key] !== before[key])) {
      storage.write(storageKey, JSON.stringify(persistedPart(state)));
    }
  });
  return store;
}

export function draftKey(sessionId: string | null): string {
  return sessionId ?? newSessionKey;
}

export function setDraft(store: UiStore, key: string, text: string): void {
  store.setState(({ drafts }) => {
    const { [key]: _old, ...others } = drafts;
    const entries = Object.entries(others).slice(-(draftLimit - 1));
    return { drafts: text === '' ? others : { ...Object.fromEntries(entries), [key]: text } };
  });
}

/** Where the draft stands among earlier messages; null = it is one of its own. */
export function setRecall(store: UiStore, key: string, recall: Recall | null): void {
  store.setState(({ recalls }) => {
    const { [key]: _old, ...others } = recalls;
    return { recalls: recall ? { ...others, [key]: recall } : others };
  });
}

export function setDraftFiles(store: UiStore, key: string, files: DraftFile[]): void {
  store.setState(({ draftFiles }) => ({ draftFiles: withFiles(draftFiles, key, files) }));
}

/** null = the question stands as it was asked. */
export function setCommandDraft(store: UiStore, approvalId: string, text: string | null): void {
  store.setState(({ commandDrafts: { [approvalId]: _before, ...others } }) => ({
    commandDrafts: text === null ? others : { ...others, [approvalId]: text },
  }));
}

export function requestFocus(store: UiStore, target: FocusTarget): void {
  store.setState(({ focus }) => ({ focus: { target, count: focus.count + 1 } }));
}

export function requestTravel(store: UiStore, to: Travel): void {
  store.setState(({ travel }) => ({ travel: { to, count: travel.count + 1 } }));
}

export function addNotice(store: UiStore, message: string, advice: string): void {
  store.setState(({ notices }) => {
    const rest = notices.filter((notice) => notice.message !== message);
    return { notices: [...rest.slice(1 - maxNotices), nextNotice(notices, message, advice)] };
  });
}

/** Says that something was done; `restores` offers to take a deletion back. */
export function addNews(store: UiStore, message: string, more: Pick<Notice, 'restores'> = {}): void {
  store.setState(({ notices }) => {
    // Two deletions may read alike, and each has its own way back.
    const rest = notices.filter((notice) => notice.message !== message || notice.restores);
    return {
      notices: [...rest.slice(1 - maxNotices), { ...nextNotice(notices, message, ''), news: true, ...more }],
    };
  });
}

function nextNotice(notices: Notice[], message: string, advice: string): Notice {
  return { id: Math.max(0, ...notices.map((notice) => notice.id)) + 1, message, advice };
}

export function removeNotice(store: UiStore, id: number): void {
  store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}

const persistedKeys = [
  'theme',
  'leftOpen',
  'rightOpen',
  'columns',
  'openSessionId',
  'drafts',
  'draftFiles',
  'attention',
  'firstRun',
  'textSize',
  'motion',
  'wrapCode',
  'wrapped',
] as const;

function persistedPart(state: UiState): Record<keyof Persisted, unknown> {
  const { theme, leftOpen, rightOpen, columns, openSessionId, attention, firstRun } = state;
  const { textSize, motion, wrapCode, wrapped } = state;
  const drafts = draftsAtRest(state);
  const draftFiles = storedFiles(state.draftFiles);
  const chosen = { theme, leftOpen, rightOpen, columns, textSize, motion, wrapCode, wrapped };
  return { ...chosen, openSessionId, drafts, draftFiles, attention, firstRun };
}

/** What was not sent is kept before an earlier message that stands in its box. */
function draftsAtRest({ drafts, recalls }: UiState): UiState['drafts'] {
  const unsent = Object.entries(recalls).map(([key, recall]) => [key, unsentWords(recall)] as const);
  return { ...drafts, ...Object.fromEntries(unsent.filter(([, text]) => text !== '')) };
}

/** Another version of Andiron, or anybody, may have written it: every field is checked alone. */
function readPersisted(storage: KeyValueStorage): Partial<Persisted> {
  const raw: RawUi = readRecord(storage, storageKey);
  const result: Partial<Persisted> = {};
  const { theme, leftOpen, rightOpen, columns, openSessionId, drafts, draftFiles, attention } = raw;
  if (theme === 'system' || theme === 'dark' || theme === 'light') result.theme = theme;
  if (typeof leftOpen === 'boolean') result.leftOpen = leftOpen;
  if (typeof rightOpen === 'boolean') result.rightOpen = rightOpen;
  if (isRecord(columns))
    result.columns = { left: widthIn(columns, 'left'), right: widthIn(columns, 'right') };
  if (isRecord(attention)) {
    result.attention = { working: idsIn(attention, 'working'), unread: idsIn(attention, 'unread') };
  }
  if (typeof openSessionId === 'string') result.openSessionId = openSessionId;
  if (isRecord(drafts)) {
    result.drafts = Object.fromEntries(
      Object.entries(drafts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  result.draftFiles = readStoredFiles(draftFiles);
  result.firstRun = readFirstRun(raw.firstRun);
  result.wrapped = readWrapped(raw.wrapped);
  return { ...result, ...readAppearance(raw) };
}

interface RawUi extends Partial<Record<keyof Appearance, unknown>> {
  theme?: unknown;
  leftOpen?: unknown;
  rightOpen?: unknown;
  columns?: unknown;
  attention?: unknown;
  openSessionId?: unknown;
  drafts?: unknown;
  draftFiles?: unknown;
  firstRun?: unknown;
  wrapped?: unknown;
}

function widthIn(columns: Record<string, unknown>, side: string): number | null {
  const width = columns[side];
  return typeof width === 'number' && Number.isFinite(width) ? width : null;
}

function idsIn(attention: Record<string, unknown>, kind: string): string[] {
  const ids = attention[kind];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
