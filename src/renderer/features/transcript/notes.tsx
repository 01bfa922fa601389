/** What steered the turn, in a word; the whole of it opens below. */
import type { ItemOf, NoteKind } from '../../../protocol/model.ts';
import { isAnswerMark } from '../../../rules/answer-mark.ts';
import { transcript as text } from '../../text.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './card.module.css';
import transcriptStyles from './transcript.module.css';

type Note = ItemOf<'note'>;

interface NoteLook {
  icon: IconName;
  warn: boolean;
}

const quiet = (icon: IconName): NoteLook => ({ icon, warn: false });
/** Something went wrong, or is about to. */
const warning: NoteLook = { icon: 'alert', warn: true };

const looks: Record<NoteKind, NoteLook> = {
  budget: quiet('note'),
  goal: quiet('note'),
  stall: warning,
  replan: quiet('plan'),
  repeat: warning,
  evidence: quiet('check'),
  memory: quiet('memory'),
  constrained: quiet('sliders'),
  window: warning,
  reask: warning,
  lost_call: warning,
  reload: warning,
  date: quiet('clock'),
  fan_out: quiet('queued'),
  context_size: warning,
  too_many_calls: warning,
  unproven: quiet('info'),
  unrun: quiet('info'),
  only_ran: quiet('info'),
  all_failed: quiet('info'),
  guessed: quiet('info'),
  toolless: quiet('info'),
  instructions: quiet('info'),
};

/** A quiet line between messages. */
export function NoteEntry({ item }: { item: Note }) {
  const [open, toggle] = useExpanded(item.id, false);
  const { icon, warn } = looks[item.note];
  // Its name says all there is to say: nothing opens.
  if (isAnswerMark(item.note)) {
    return (
      <div className={`${transcriptStyles.line} ${styles.unsaid}`}>
        <Icon name={icon} />
        <span>{text.notes[item.note]}</span>
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className={warn ? `${transcriptStyles.line} warn` : transcriptStyles.line}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={icon} />
        <NoteWords item={item} open={open} />
      </button>
      {open && <p className={transcriptStyles.thought}>{item.text}</p>}
    </>
  );
}

/** The same inside a list of calls. */
export function NoteRow({ item }: { item: Note }) {
  const [open, toggle] = useExpanded(item.id, false);
  const { icon, warn } = looks[item.note];
  // Its name says all there is to say: nothing opens.
  if (isAnswerMark(item.note)) {
    return (
      <div className={`${styles.row} ${styles.plain} ${styles.note} ${styles.unsaid}`}>
        <Icon name={icon} />
        <span className={`meta ${styles.noteWords}`}>{text.notes[item.note]}</span>
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className={
          warn
            ? `${styles.row} ${styles.plain} ${styles.note} warn`
            : `${styles.row} ${styles.plain} ${styles.note}`
        }
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={icon} />
        <span className={warn ? `meta warn ${styles.noteWords}` : `meta ${styles.noteWords}`}>
          <NoteWords item={item} open={open} />
        </span>
      </button>
      {open && (
        <p className={`${styles.body} ${styles.noteBody}`} dir="auto">
          {item.text}
        </p>
      )}
    </>
  );
}

function NoteWords({ item, open }: { item: Note; open: boolean }) {
  return (
    <>
      <span className="medium">{text.notes[item.note]}</span>
      {!open && (
        <span className="cut" dir="auto">
          {item.text}
        </span>
      )}
    </>
  );
}
