/** What follows from an exam: each thing with its button, why, and its price; and what was taken, with the way back. */
import { exam } from '../text.ts';
import { Button } from './button.tsx';
import { priceSentence, type PriceText } from './price-words.ts';
import { Mark } from './state-mark.tsx';
import styles from './exam.module.css';

const text = exam.advice;

export interface ExamAdviceProps {
  open: {
    id: string;
    why: string;
    /** On its button. */
    action: string;
    price: PriceText;
    /** That it changes. */
    profile: { name: string; builtIn: boolean };
    onTake: () => void;
  }[];
  taken: { id: string; done: string; onUndo: () => void }[];
}

export function ExamAdvice({ open, taken }: ExamAdviceProps) {
  if (open.length + taken.length === 0) return null;
  const [first] = open;
  return (
    <div className={`${styles.advice} num`}>
      <ul aria-label={text.label}>
        {open.map(({ id, why, action, price, onTake }) => (
          <li key={id} className={styles.offer}>
            <p>
              {why} <span className="meta">{priceSentence(price)}</span>
            </p>
            <Button small onClick={onTake}>
              {action}
            </Button>
          </li>
        ))}
        {taken.map(({ id, done, onUndo }) => (
          <li key={id} className={styles.offer}>
            <span className="with-mark">
              <Mark icon="done" tone="ok" />
              <span>{done}</span>
            </span>
            <Button small kind="quiet" icon="undo" aria-description={done} onClick={onUndo}>
              {text.undo}
            </Button>
          </li>
        ))}
      </ul>
      {first && <p className="meta">{text.changes(first.profile.name, first.profile.builtIn)}</p>}
    </div>
  );
}
