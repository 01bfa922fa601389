import type { Setup } from '../../protocol/model.ts';
import { setup as text } from '../text.ts';
import { Button } from './button.tsx';
import { Download, timeLeft } from './download.tsx';

interface SetupJobProps {
  job: NonNullable<Setup['job']>;
  /** What is set up; absent = what is done. */
  title?: string;
  onPause: () => void;
  /** Absent = whoever shows it has the button. */
  onResume?: () => void;
}

/** Setting Ollama up, while it lasts: what it does, how far it is, what went wrong. */
export function SetupJob({ job, title, onPause, onResume }: SetupJobProps) {
  const { kind, phase, receivedBytes, totalBytes, bytesPerSecond, problem } = job;
  const loads = phase === 'downloading' || phase === 'paused' || phase === 'failed';
  const left = phase === 'downloading' ? timeLeft(receivedBytes, totalBytes, bytesPerSecond) : null;
  const facts = [
    loads && kind !== 'remove' && text.of(receivedBytes, totalBytes),
    phase === 'downloading' && bytesPerSecond !== null && text.rate(bytesPerSecond),
    left !== null && text.left(left),
  ].filter((fact) => fact !== false);
  return (
    <Download
      title={title ?? text.kinds[kind]}
      phase={text.phases[phase]}
      facts={facts}
      done={receivedBytes}
      total={loads && kind !== 'remove' ? totalBytes : null}
      active={phase === 'downloading'}
      label={text.kinds[kind]}
      problem={problem}
    >
      {phase === 'downloading' && (
        <Button small onClick={onPause}>
          {text.pause}
        </Button>
      )}
      {onResume && (phase === 'paused' || phase === 'failed') && kind !== 'remove' && (
        <Button small onClick={onResume}>
          {phase === 'failed' ? text.retry : text.resume}
        </Button>
      )}
    </Download>
  );
}
