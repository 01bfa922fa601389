import type { Pull } from '../../protocol/model.ts';
import { library } from '../text.ts';
import { Button } from './button.tsx';
import { Download, timeLeft } from './download.tsx';

const text = library.pull;

interface PullRowProps {
  pull: Pull;
  onPause: () => void;
  /** Begins again where it was left. */
  onResume: () => void;
  onForget: () => void;
}

/** One download of a model. */
export function PullRow({ pull, onPause, onResume, onForget }: PullRowProps) {
  const { model, phase, completedBytes, totalBytes, bytesPerSecond, problem } = pull;
  const active = phase === 'pulling' || phase === 'verifying';
  const left = phase === 'pulling' ? timeLeft(completedBytes, totalBytes, bytesPerSecond) : null;
  const facts = [
    phase !== 'waiting' && (active || completedBytes > 0) && text.of(completedBytes, totalBytes),
    phase === 'pulling' && bytesPerSecond !== null && text.rate(bytesPerSecond),
    left !== null && text.left(left),
  ].filter((fact) => fact !== false);
  return (
    <Download
      title={model}
      phase={text.phases[phase]}
      facts={facts}
      done={completedBytes}
      total={totalBytes}
      active={active}
      label={text.label(model)}
      problem={problem}
    >
      {(active || phase === 'waiting') && (
        <Button small aria-description={text.label(model)} onClick={onPause}>
          {text.pause}
        </Button>
      )}
      {(phase === 'paused' || phase === 'failed') && (
        <Button small aria-description={text.label(model)} onClick={onResume}>
          {phase === 'failed' ? text.retry : text.resume}
        </Button>
      )}
      {!active && phase !== 'waiting' && (
        <Button small kind="quiet" aria-description={text.label(model)} onClick={onForget}>
          {phase === 'done' ? text.dismiss : text.forget}
        </Button>
      )}
    </Download>
  );
}
