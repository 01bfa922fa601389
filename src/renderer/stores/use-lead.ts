/** Which part of the window the one ember button belongs to: what a person is writing, else what the session offers. */
import { useUi } from './stores.ts';
import { draftKey, type UiState } from './ui-store.ts';

/** An earlier message that is written anew, the message box as soon as it holds something, or the conversation. */
export type Lead = 'version' | 'message' | 'conversation';

function leadOf(ui: Pick<UiState, 'openSessionId' | 'editing' | 'drafts' | 'draftFiles'>): Lead {
  const key = draftKey(ui.openSessionId);
  if (ui.editing !== null) return 'version';
  const written = (ui.drafts[key] ?? '').trim() !== '' || (ui.draftFiles[key] ?? []).length > 0;
  return written ? 'message' : 'conversation';
}

export const useLead = (): Lead => useUi(leadOf);
