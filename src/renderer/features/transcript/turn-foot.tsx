/** The quiet line under an answer: what its turn took, and what can be done with it. Each fact opens what it is about. */
import { useMemo, useState } from 'react';
import { seconds } from '../../formats.ts';
import { ledger, transcript } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { Popover } from '../../components/popover.tsx';
import { rereadWords } from '../../components/reread-words.ts';
import { useCommands } from '../../commands/commands.ts';
import { turnChange } from '../../stores/changed-files.ts';
import { turnTime } from '../../stores/figures.ts';
import { isCostly, rereadsOf, totalReading, wasSlow } from '../../stores/readings.ts';
import { useSession } from '../../stores/stores.ts';
import { Receipt } from './receipt.tsx';
import type { RowOf } from './rows.ts';
import styles from './turn.module.css';
import { useTurnParts } from './use-turn-parts.ts';
import { useVersionPrice } from './use-version-price.ts';

const text = transcript.foot;

/** A shorter wait for the person is not worth a word. */
const minShownMs = 1000;

type Foot = RowOf<'foot'>;

export function TurnFoot({ row }: { row: Foot }) {
  return (
    <>
      <div className={row.isLast ? styles.foot : `${styles.foot} ${styles.earlier}`}>
        <Facts row={row} />
        {row.versions && <Versions turnId={row.turn.id} versions={row.versions} />}
        <Actions row={row} />
      </div>
      <Cost row={row} />
    </>
  );
}

const endOf = ({ turn }: Foot): number => turn.endedAt ?? turn.startedAt ?? 0;

/** Time, steps, files. */
function Facts({ row }: { row: Foot }) {
  const { turn, workOpen } = row;
  const { toggleWork } = useTurnParts(turn.id);
  const [open, setOpen] = useState(false);
  const { workedMs, askedMs } = turnTime(turn, endOf(row));
  const steps = turn.usage.filter(({ parentCallId }) => parentCallId === undefined).length;
  return (
    <span className={`${styles.facts} num`}>
      {turn.usage.length === 0 ? (
        <span>{seconds(workedMs)}</span>
      ) : (
        <Popover
          open={open}
          onOpen={setOpen}
          label={text.receipt}
          className={styles.receipt}
          side="bottom"
          align="start"
          trigger={
            <button type="button" className={styles.fact} title={text.receipt}>
              <span>{seconds(workedMs)}</span>
            </button>
          }
        >
          <Receipt turn={turn} calls={row.calls} toolMs={row.toolMs} />
        </Popover>
      )}
      {askedMs >= minShownMs && (
        <span className={styles.then}>
          <span>{text.asked(askedMs)}</span>
        </span>
      )}
      {steps > 1 &&
        (workOpen === null ? (
          <span className={styles.then}>
            <span>{text.steps(steps)}</span>
          </span>
        ) : (
          <button
            type="button"
            className={`${styles.fact} ${styles.then}`}
            aria-expanded={workOpen}
            onClick={() => toggleWork(workOpen)}
          >
            <span>{text.steps(steps)}</span>
          </button>
        ))}
      {row.edits.length > 0 && <Files row={row} />}
    </span>
  );
}

/** How many files it changed, and whether that was undone; opens their list. */
function Files({ row: { turn, edits } }: { row: Foot }) {
  const files = useSession((session) => session.state?.files);
  const { rows, standing } = useMemo(() => turnChange(edits, files, turn.id), [edits, files, turn.id]);
  const { changesOpen, toggleChanges } = useTurnParts(turn.id);
  return (
    <button
      type="button"
      className={`${styles.fact} ${styles.then}`}
      aria-expanded={changesOpen}
      onClick={toggleChanges}
    >
      <span>{standing === 'undone' ? text.undone(rows.length) : text.files(rows.length)}</span>
    </button>
  );
}

/** Which of its versions this is, and the way to the others: each keeps all that followed in it. */
function Versions({ turnId, versions }: { turnId: string; versions: readonly string[] }) {
  const { run } = useCommands();
  const at = versions.indexOf(turnId);
  const step = (icon: 'previous' | 'right', label: string, next: string | undefined) => (
    <IconButton
      icon={icon}
      label={label}
      // Not `disabled`: whoever came to the end by keyboard would lose it.
      aria-disabled={next === undefined}
      onClick={() => next !== undefined && void run('turn/choose-version', { turnId: next })}
    />
  );
  const { before, after, place, places } = transcript.version;
  return (
    // A group that a screen reader names; its place changes under the button that was pressed.
    <fieldset className={styles.versions} aria-label={places(at + 1, versions.length)}>
      {step('previous', before, versions[at - 1])}
      <output className="num">{place(at + 1, versions.length)}</output>
      {step('right', after, versions[at + 1])}
    </fieldset>
  );
}

function Actions({ row: { turn, answer, missingBefore, fork, regenerate } }: { row: Foot }) {
  const { run, ask } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const price = useVersionPrice(regenerate ? turn.id : null);
  if (sessionId === null) return null;
  const whole = async (before: number): Promise<string> =>
    [await ask.answerBefore(sessionId, turn.id, before), answer].filter(Boolean).join('\n\n');
  return (
    <span className={styles.actions}>
      {answer !== '' && (
        <CopyButton
          label={transcript.copyAnswer}
          text={missingBefore === null ? answer : () => whole(missingBefore)}
        />
      )}
      {regenerate && (
        <IconButton
          icon="redo"
          label={transcript.version.regenerate}
          title={[transcript.version.regenerate, price?.words].filter(Boolean).join('\n')}
          onClick={() => void run('turn/regenerate', { turnId: turn.id })}
        />
      )}
      {fork && (
        <IconButton
          icon="fork"
          label={transcript.version.fork}
          onClick={() => void run('session/fork', { sessionId, turnId: turn.id })}
        />
      )}
      <Menu trigger={<IconButton icon="more" label={text.more} />}>
        <MenuItem icon="chart" onClick={() => void run('view/engine')}>
          {text.engine}
        </MenuItem>
        <MenuItem icon="info" onClick={() => void run('view/slow')}>
          {ledger.why}
        </MenuItem>
      </Menu>
      {price?.isCostly && (
        <span className={`${styles.price} num`}>{transcript.version.price(price.words)}</span>
      )}
    </span>
  );
}

/** Speaks only where re-reading cost more than it should, with its cause; a slow turn leads to what can be done. */
function Cost({ row }: { row: Foot }) {
  const { run } = useCommands();
  const { turn } = row;
  const { workedMs } = turnTime(turn, endOf(row));
  const [costliest] = rereadsOf(turn.usage);
  const costly = costliest !== undefined && isCostly(totalReading(turn.usage), workedMs);
  const slow = wasSlow(turn, workedMs);
  if (!costly && !slow) return null;
  return (
    <p className={styles.cost}>
      {costly && <span className="warn">{rereadWords(costliest)}</span>}
      {slow && (
        <Button kind="quiet" small onClick={() => void run('view/slow')}>
          {ledger.why}
        </Button>
      )}
    </p>
  );
}
