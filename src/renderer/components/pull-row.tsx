import type { Pull } from '../../protocol/model.ts';
import { library } from '../text.ts';
import { Button } from './button.tsx';
import { Download, timeLeft } from './download.tsx';

const text = library.pull;

interface PullRowProps {
  pull: Pull;
  /** Absent = whoever shows it has the buttons. */
  actions?: {
    onPause: () => void;
    /** Begins again where it was left. */
    onResume: () => void;
    onForget: () => void;
  };
}

type ActionsProps = Pick<PullRowProps, 'pull'> & NonNullable<PullRowProps['actions']>;

/** One download of a model. */
export function PullRow({ pull, actions }: PullRowProps) {
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
      {actions && <Actions pull={pull} {...actions} />}
    </Download>
  );
}

function Actions({ pull: { model, phase }, onPause, onResume, onForget }: ActionsProps) {
  const label = { 'aria-description': text.label(model) };
  if (phase === 'pulling' || phase === 'verifying' || phase === 'waiting') {
    return (
      <Button small {...label} onClick={onPause}>
        {text.pause}
      </Button>
    );
  }
  return (
    <>
      {phase !== 'done' && (
        <Button small {...label} onClick={onResume}>
          {phase === 'failed' ? text.retry : text.resume}
        </Button>
      )}
      <Button small kind="quiet" {...label} onClick={onForget}>
        {phase === 'done' ? text.dismiss : text.forget}
      </Button>
    </>
  );
}
