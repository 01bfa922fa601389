/** A model that nobody knows yet is asked a few questions before its first step. */
import type { Run } from './ports.ts';

/** Where the engine holds a conversation already, that would cost it: the model is met when nobody needs the GPU. */
export async function meetModel({ model, history, out, setting }: Run, signal: AbortSignal): Promise<void> {
  if (!model.meeting) return;
  if (history.log.messages().some(({ role }) => role === 'assistant')) model.meeting.meetLater(setting);
  else {
    const onBegin = (): void => out.emit({ type: 'turn/phase', phase: 'checking' });
    await model.meeting.meet(setting, onBegin, signal);
  }
}
