/** A model that nobody knows yet is asked a few questions before its first step. */
import type { Granted } from './deps.ts';
import type { Run } from './ports.ts';
import { keepToolset, settingOf } from './setting.ts';

/**
 * What it answers decides which tools it is shown, from then on. Where the engine holds a conversation already, that would
 * cost it: the model is met when nobody needs the GPU.
 */
export async function meetModel(run: Run, signal: AbortSignal): Promise<void> {
  const { model, history, out, setting } = run;
  if (!model.meeting) return keepToolset(setting);
  const { active, whole, lease, policy } = setting;
  const granted: Granted = { active: { ...active, head: whole }, lease, policy };
  if (history.log.messages().some(({ role }) => role === 'assistant')) model.meeting.meetLater(granted);
  else {
    const onBegin = (): void => out.emit({ type: 'turn/phase', phase: 'checking' });
    await model.meeting.meet(granted, onBegin, signal);
    run.setting = settingOf(granted, model.models);
  }
  keepToolset(run.setting);
}
