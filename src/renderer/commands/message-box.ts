/** What stands in the message box of the open session: words, and the files that go with them. */
import type { DraftFile } from '../stores/draft-files.ts';
import { unsentWords } from '../stores/recall.ts';
import {
  draftKey,
  requestFocus,
  setDraft,
  setDraftFiles,
  setRecall,
  type UiStore,
} from '../stores/ui-store.ts';

export type MessageBox = ReturnType<typeof createMessageBox>;

export function createMessageBox(ui: UiStore) {
  const openKey = (): string => draftKey(ui.getState().openSessionId);

  const isDraft = (text: string): boolean => text === (ui.getState().drafts[openKey()] ?? '');

  /** Those that wait in the box go with what is written in it, and with nothing else that is sent. */
  const filesFor = (text: string): DraftFile[] =>
    (isDraft(text) ? ui.getState().draftFiles[openKey()] : undefined) ?? [];

  /** Out of the box, which then shows what was not sent when an earlier message was recalled. */
  const take = (text: string): void => {
    if (!isDraft(text)) return;
    const key = openKey();
    setDraft(ui, key, unsentWords(ui.getState().recalls[key]));
    setRecall(ui, key, null);
    setDraftFiles(ui, key, []);
  };

  /** Nothing is lost: it stands before what was written meanwhile. */
  const restore = (text: string, files: DraftFile[] = []): void => {
    const key = openKey();
    const { drafts, draftFiles } = ui.getState();
    const texts = [text, drafts[key] ?? ''];
    setDraft(ui, key, texts.filter((written) => written !== '').join('\n\n'));
    setDraftFiles(ui, key, [...files, ...(draftFiles[key] ?? [])]);
    requestFocus(ui, 'composer');
  };

  return { isDraft, filesFor, take, restore };
}
