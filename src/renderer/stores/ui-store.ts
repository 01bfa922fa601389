/** What belongs to this window alone: theme, columns, drafts, the open session. Survives a reload. */
import { createStore } from 'zustand/vanilla';
import type { KeyValueStorage } from './storage.ts';

export type Theme = 'system' | 'dark' | 'light';
/** `slow` = the page that says why it is slow. */
export type View = 'session' | 'settings' | 'slow';
export type SettingsSection = 'profiles' | 'models' | 'engine' | 'appearance' | 'shortcuts';

/** Key of the draft and choices of a session that does not exist yet: the host creates it with its first message. */
export const newSessionKey = 'new';

export type Room = 'wide' | 'folded' | 'narrow';
export type FocusTarget = 'composer' | 'search' | 'approval' | 'transcript';

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
  /** The session that Undo brings back. */
  restores?: string;
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

export interface UiState {
  theme: Theme;
  leftOpen: boolean;
  rightOpen: boolean;
  view: View;
  /** Where the settings open. */
  settingsSection: SettingsSection;
  /** The panel above the engine's bar is open. */
  enginePanel: boolean;
  /** null = a new session that has no message yet. */
  openSessionId: string | null;
  drafts: Record<string, string>;
  newSession: NewSessionChoice;
  notices: Notice[];
  search: Search;
  /** What the transcript shall show as soon as it has it; null = nothing is asked for. */
  jump: { sessionId: string; itemId: string } | null;
  /** Key of the row that it led to; null = none is marked. */
  sought: string | null;
  /** Asks the transcript to go somewhere; `count` tells two requests apart. */
  travel: { to: Travel; count: number };
  /** A message that is being changed into another version of its turn. */
  editing: { turnId: string; text: string } | null;
  /** Rows of the transcript that were opened or closed by hand. */
  expanded: Record<string, boolean>;
  /** How much room there is: `folded` has no right column, `narrow` only a rail on the left as well. */
  room: Room;
  /** A folded column, opened over the transcript. */
  sheet: 'left' | 'right' | null;
  /** Asks one part of the window to take the keyboard; `count` tells two requests apart. */
  focus: { target: FocusTarget; count: number };
}

type Persisted = Pick<UiState, 'theme' | 'leftOpen' | 'rightOpen' | 'openSessionId' | 'drafts'>;

export type UiStore = ReturnType<typeof createUiStore>;

const storageKey = 'andiron.ui';
const draftLimit = 50;

export function createUiStore(storage: KeyValueStorage) {
  const store = createStore<UiState>(() => ({
    theme: 'system',
    leftOpen: true,
    rightOpen: true,
    openSessionId: null,
    drafts: {},
    ...readPersisted(storage),
    view: 'session',
    settingsSection: 'profiles',
    enginePanel: false,
    newSession: {},
    notices: [],
    search: { query: '', found: null },
    jump: null,
    sought: null,
    travel: { to: 'end', count: 0 },
    editing: null,
    expanded: {},
    room: 'wide',
    sheet: null,
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

export function requestFocus(store: UiStore, target: FocusTarget): void {
  store.setState(({ focus }) => ({ focus: { target, count: focus.count + 1 } }));
}

export function requestTravel(store: UiStore, to: Travel): void {
  store.setState(({ travel }) => ({ travel: { to, count: travel.count + 1 } }));
}

export function addNotice(store: UiStore, message: string, advice: string): void {
  store.setState(({ notices }) => {
    const rest = notices.filter((notice) => notice.message !== message);
    const id = Math.max(0, ...notices.map((notice) => notice.id)) + 1;
    return { notices: [...rest.slice(-2), { id, message, advice }] };
  });
}

/** Says that something was done; `restores` offers to take a deletion back. */
export function addNews(store: UiStore, message: string, more: Pick<Notice, 'restores'> = {}): void {
  addNotice(store, message, '');
  store.setState(({ notices }) => ({
    notices: notices.map((notice) =>
      notice.message === message ? { ...notice, news: true, ...more } : notice,
    ),
  }));
}

export function removeNotice(store: UiStore, id: number): void {
  store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}

const persistedKeys = ['theme', 'leftOpen', 'rightOpen', 'openSessionId', 'drafts'] as const;

function persistedPart(state: UiState): Persisted {
  const { theme, leftOpen, rightOpen, openSessionId, drafts } = state;
  return { theme, leftOpen, rightOpen, openSessionId, drafts };
}

/** Another version of Andiron, or anybody, may have written it: every field is checked alone. */
function readPersisted(storage: KeyValueStorage): Partial<Persisted> {
  const raw = parseObject(storage.read(storageKey));
  const result: Partial<Persisted> = {};
  const { theme, leftOpen, rightOpen, openSessionId, drafts } = raw;
  if (theme === 'system' || theme === 'dark' || theme === 'light') result.theme = theme;
  if (typeof leftOpen === 'boolean') result.leftOpen = leftOpen;
  if (typeof rightOpen === 'boolean') result.rightOpen = rightOpen;
  if (typeof openSessionId === 'string') result.openSessionId = openSessionId;
  if (isRecord(drafts)) {
    result.drafts = Object.fromEntries(
      Object.entries(drafts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  return result;
}

interface RawUi {
  theme?: unknown;
  leftOpen?: unknown;
  rightOpen?: unknown;
  openSessionId?: unknown;
  drafts?: unknown;
}

function parseObject(json: string | null): RawUi {
  if (json === null) return {};
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
