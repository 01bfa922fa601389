import { useId, useState } from 'react';
import { library } from '../../text.ts';
import { FitView } from '../../components/fit-view.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import { windowSteps } from '../../stores/windows.ts';
import styles from './window-fit.module.css';

const text = library.fit;

interface WindowFitProps {
  model: string;
  trained: number | null;
  value: number;
  /** Once the slider is let go, with the keyboard as with the pointer. */
  onChoose: (tokens: number) => void;
  /** Where the figure stands elsewhere: told as the slider moves, null when it rests. */
  onDrag?: (tokens: number | null) => void;
}

/** A window slider that shows as it moves what the model would take with it: all its windows are asked for at once. */
export function WindowFit({ model, trained, value, onChoose, onDrag }: WindowFitProps) {
  const steps = windowSteps(trained, value);
  const id = useId();
  const [dragged, setDragged] = useState<number | null>(null);
  const { value: fits, failure } = useAnswer(`fits:${model}:${steps.join()}`, (ask) =>
    ask.fits(model, steps),
  );
  const shown = dragged ?? value;
  const fit = fits?.find((candidate) => candidate.model === model && candidate.contextTokens === shown);
  const drag = (tokens: number | null): void => {
    setDragged(tokens);
    onDrag?.(tokens);
  };
  const take = (): void => {
    drag(null);
    if (dragged !== null && dragged !== value) onChoose(dragged);
  };
  return (
    <div className={onDrag ? `${styles.windowFit} ${styles.inProfile}` : styles.windowFit}>
      <p className={onDrag ? 'sr-only' : styles.windowFitHead}>
        <label htmlFor={id}>{text.slider}</label>
        <output className="num medium" htmlFor={id} aria-live="off">
          {text.tokens(shown)}
        </output>
      </p>
      <input
        id={id}
        type="range"
        min={0}
        max={steps.length - 1}
        step={1}
        value={Math.max(0, steps.indexOf(shown))}
        aria-valuetext={text.tokens(shown)}
        onChange={(event) => drag(steps[Number(event.target.value)] ?? value)}
        onPointerUp={take}
        onKeyUp={take}
        onBlur={take}
      />
      {fit ? (
        <FitView fit={fit} />
      ) : (
        <p className="meta">{failure ? `${text.failed} ${failure.message}` : text.asking}</p>
      )}
    </div>
  );
}
