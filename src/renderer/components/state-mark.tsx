import type { SessionStatus, ToolState } from '../../protocol/model.ts';
import { Icon, type IconName } from './icon.tsx';

/** A state is always icon, colour and word together; the word stands beside the mark. */
export interface StateLook {
  icon: IconName;
  tone: Tone;
}
export type Tone = 'run' | 'wait' | 'ok' | 'warn' | 'fail' | 'done' | 'still';

const toolLooks: Record<ToolState, StateLook> = {
  streaming: { icon: 'running', tone: 'run' },
  awaiting_approval: { icon: 'wait', tone: 'wait' },
  running: { icon: 'running', tone: 'run' },
  done: { icon: 'done', tone: 'done' },
  failed: { icon: 'failed', tone: 'fail' },
  declined: { icon: 'declined', tone: 'still' },
  stopped: { icon: 'stopped', tone: 'still' },
  interrupted: { icon: 'cut', tone: 'warn' },
};

const sessionLooks: Record<SessionStatus, StateLook | null> = {
  idle: null,
  queued: { icon: 'queued', tone: 'still' },
  running: { icon: 'running', tone: 'run' },
  asking: { icon: 'wait', tone: 'wait' },
  failed: { icon: 'failed', tone: 'fail' },
};

export const toolLook = (state: ToolState): StateLook => toolLooks[state];
export const sessionLook = (status: SessionStatus): StateLook | null => sessionLooks[status];

export function Mark({ icon, tone }: StateLook) {
  return (
    <span className={`state ${tone}`}>
      <Icon name={icon} />
    </span>
  );
}
