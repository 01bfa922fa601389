/** One file of the person, and the words for what became of it. */
import { addNews, addNotice, type UiStore } from '../stores/ui-store.ts';
import { files as text } from '../text.ts';
import type { PageFiles, SaveOutcome } from './page-files.ts';

/**
 * Nothing is said of a file that the person did not want, nor of one that a browser shows among its own downloads.
 */
export async function saveFile(
  files: PageFiles,
  ui: UiStore,
  ...file: Parameters<PageFiles['save']>
): Promise<SaveOutcome> {
  const outcome = await files.save(...file);
  if (outcome === 'completed') addNews(ui, text.saved);
  else if (outcome === 'interrupted') addSaveFailure(ui);
  return outcome;
}

export function addSaveFailure(ui: UiStore): void {
  addNotice(ui, text.saveFailed.message, text.saveFailed.advice);
}
