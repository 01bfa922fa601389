/** What stands in the message box of the open session: words, and the files that go with them. */
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { DraftFile } from '../stores/draft-files.ts';
import { unsentWords } from '../stores/recall.ts';
import type { Stores } from '../stores/stores.ts';
import {
  draftKey,
  requestFocus,
  setDraft,
  setDraftFiles,
  setDraftOrigin,
  setRecall,
} from '../stores/ui-store.ts';

export type MessageBox = ReturnType<typeof createMessageBox>;

export function createMessageBox({ ui, session }: Pick<Stores, 'ui' | 'session'>) {
  const openKey = (): string => draftKey(ui.getState().openSessionId);

  const isDraft = (text: string): boolean => text === (ui.getState().drafts[openKey()] ?? '');

  /** Those that wait in the box go with what is written in it, and with nothing else that is sent. */
  const filesFor = (text: string): DraftFile[] =>
    (isDraft(text) ? ui.getState().draftFiles[openKey()] : undefined) ?? [];

  /** The prompt of a server that this text began as; an earlier message that was recalled has its own. */
  const originOf = (text: string): PromptOrigin | undefined => {
    if (!isDraft(text)) return undefined;
    const { draftOrigins, recalls } = ui.getState();
    const recalled = recalls[openKey()]?.turnId ?? null;
    if (recalled === null) return draftOrigins[openKey()];
    return session.getState().state?.turns.find(({ id }) => id === recalled)?.from;
  };

  /** Out of the box, which then shows what was not sent when an earlier message was recalled. */
  const take = (text: string): void => {
    if (!isDraft(text)) return;
    const key = openKey();
    setDraft(ui, key, unsentWords(ui.getState().recalls[key]));
    setRecall(ui, key, null);
    setDraftFiles(ui, key, []);
  };

  /** Nothing is lost: it stands before what was written meanwhile. `key`: of the draft that it is part of again. */
  const restore = (
    text: string,
    files: DraftFile[] = [],
    { origin, key = openKey() }: { origin?: PromptOrigin | undefined; key?: string } = {},
  ): void => {
    const { drafts, draftFiles } = ui.getState();
    const texts = [text, drafts[key] ?? ''];
    setDraft(ui, key, texts.filter((written) => written !== '').join('\n\n'));
    setDraftFiles(ui, key, [...files, ...(draftFiles[key] ?? [])]);
    if (origin) setDraftOrigin(ui, key, origin);
    if (key === openKey()) requestFocus(ui, 'composer');
  };

  return { isDraft, filesFor, originOf, take, restore };
}
