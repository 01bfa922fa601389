/** What belongs to this window alone: theme, columns, drafts, the open session. What is kept of it survives a reload. */
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { FormInputs } from '../../rules/form-values.ts';
import type { DraftStep } from './plan-draft.ts';
import type { StoreApi } from 'zustand/vanilla';
import { appearance } from './appearance.ts';
import { withFiles, type DraftFile } from './draft-files.ts';
import { drafts, draftsAtRest, newSessionKey } from './drafts-slice.ts';
import { layout, type FocusTarget } from './layout-slice.ts';
import { notices, type Notice } from './notices-slice.ts';
import { createPersistedStore, type StateOf } from './persisted.ts';
import type { Recall } from './recall.ts';
import { shown, type Travel } from './shown-slice.ts';
import { noStorage, readRecord, type KeyValueStorage } from './storage.ts';

export interface UiState
  extends
    StateOf<typeof appearance>,
    StateOf<typeof layout>,
    StateOf<typeof drafts>,
    StateOf<typeof shown>,
    StateOf<typeof notices> {}

export type UiStore = StoreApi<UiState>;

const name = 'andiron.ui';
const draftLimit = 50;
const maxNotices = 3;

/** `ofWindow`: what no other window has; the session that is open there is also what a new window begins with. */
export function createUiStore(storage: KeyValueStorage, ofWindow = noStorage): UiStore {
  const kept = { ...appearance.kept, ...layout.kept, ...drafts.kept, ...shown.kept, ...notices.kept };
  const fresh = { ...appearance.fresh, ...layout.fresh, ...drafts.fresh, ...shown.fresh, ...notices.fresh };
  const store = createPersistedStore(storage, name, { kept, fresh }, draftsAtRest);
  const own = readRecord(ofWindow, name);
  if ('openSessionId' in own) store.setState({ openSessionId: kept.openSessionId(own['openSessionId']) });
  const keep = ({ openSessionId }: Pick<UiState, 'openSessionId'>): void =>
    ofWindow.write(name, JSON.stringify({ openSessionId }));
  keep(store.getState());
  store.subscribe((state, before) => {
    if (state.openSessionId !== before.openSessionId) keep(state);
  });
  return store;
}

export function draftKey(sessionId: string | null): string {
  return sessionId ?? newSessionKey;
}

export function setDraft(store: UiStore, key: string, text: string): void {
  store.setState(({ drafts, draftOrigins }) => {
    const { [key]: _old, ...others } = drafts;
    const entries = Object.entries(others).slice(-(draftLimit - 1));
    if (text !== '') return { drafts: { ...Object.fromEntries(entries), [key]: text } };
    const { [key]: _origin, ...origins } = draftOrigins;
    return { drafts: others, draftOrigins: origins };
  });
}

/** What is written there began as this prompt of a server: so it stays until nothing of it is left. */
export function setDraftOrigin(store: UiStore, key: string, origin: PromptOrigin): void {
  store.setState(({ draftOrigins }) => ({ draftOrigins: { ...draftOrigins, [key]: origin } }));
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

/** '' = a no says nothing more. */
export function setReplyDraft(store: UiStore, approvalId: string, words: string): void {
  store.setState(({ replyDrafts: { [approvalId]: _before, ...others } }) => ({
    replyDrafts: words === '' ? others : { ...others, [approvalId]: words },
  }));
}

/** null = nothing was filled in. */
export function setFormDraft(store: UiStore, approvalId: string, inputs: FormInputs | null): void {
  store.setState(({ formDrafts: { [approvalId]: _before, ...others } }) => ({
    formDrafts: inputs === null ? others : { ...others, [approvalId]: inputs },
  }));
}

/** null = the plan is as the model wrote it. */
export function setPlanDraft(store: UiStore, itemId: string, steps: readonly DraftStep[] | null): void {
  store.setState(({ planDrafts: { [itemId]: _before, ...others } }) => ({
    planDrafts: steps === null ? others : { ...others, [itemId]: steps },
  }));
}

/** Shows it, and leads the keyboard to its message box; null = a new one that has no message yet. */
export function openSession(store: UiStore, openSessionId: string | null): void {
  store.setState({ openSessionId, view: 'session', sheet: null, sought: null });
  requestFocus(store, 'composer');
}

export function requestFocus(store: UiStore, target: FocusTarget): void {
  store.setState(({ focus }) => ({ focus: { target, count: focus.count + 1 } }));
}

/** Whoever asked for it has it: what comes into view later is not asked for. */
export function answerFocus(store: UiStore): void {
  store.setState(({ focus }) => ({ focus: { ...focus, target: 'composer' } }));
}

export function requestTravel(store: UiStore, to: Travel): void {
  store.setState(({ travel }) => ({ travel: { to, count: travel.count + 1 } }));
}

export function addNotice(
  store: UiStore,
  message: string,
  advice: string,
  more: Pick<Notice, 'opens'> = {},
): void {
  store.setState(({ notices }) => {
    const rest = notices.filter((notice) => notice.message !== message);
    return { notices: [...withRoom(rest), { ...nextNotice(notices, message, advice), ...more }] };
  });
}

/** Says that something was done; `restores` and `redoes` offer the way back. */
export function addNews(
  store: UiStore,
  message: string,
  more: Partial<Pick<Notice, 'restores' | 'unarchives' | 'offersNotes' | 'redoes' | 'opens' | 'advice'>> = {},
): void {
  store.setState(({ notices }) => {
    // Two deletions may read alike, and each has its own way back.
    const rest = notices.filter((notice) => notice.message !== message || notice.restores);
    return {
      notices: [...withRoom(rest), { ...nextNotice(notices, message, ''), news: true, ...more }],
    };
  });
}

/** For one more: the oldest goes, but a way back to what was deleted goes last. */
function withRoom(notices: readonly Notice[]): Notice[] {
  const surplus = notices.length - (maxNotices - 1);
  const going = notices.toSorted((one, other) => Number('restores' in one) - Number('restores' in other));
  const gone = new Set(going.slice(0, Math.max(0, surplus)));
  return notices.filter((notice) => !gone.has(notice));
}

function nextNotice(notices: Notice[], message: string, advice: string): Notice {
  return { id: Math.max(0, ...notices.map((notice) => notice.id)) + 1, message, advice };
}

export function removeNotice(store: UiStore, id: number): void {
  store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}
