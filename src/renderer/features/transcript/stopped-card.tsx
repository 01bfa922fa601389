import { useMemo } from 'react';
import type { ItemOf } from '../../../protocol/model.ts';
import { changedFiles, transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { wayBack } from '../../stores/changed-files.ts';
import { isBusy } from '../../stores/derive.ts';
import { keptOf, stopTimes } from '../../stores/figures.ts';
import { useSession } from '../../stores/stores.ts';
import { NextSteps } from './cards.tsx';
import type { Ran } from './rows.ts';
import styles from './card.module.css';

type Stopped = ItemOf<'stopped'>;
const words = text.stopped;

/** The proof of a stop: how fast, that the model is still where it was, and what of the prompt it holds. */
export function StoppedCard({ item, ran, last }: { item: Stopped; ran: Ran; last: boolean }) {
  // Of now, and not of the moment of the stop: the next message may run already.
  const finishes = useFinishes(item);
  const isIdle = useSession((session) => !isBusy(session)) && !finishes;
  const resident = item.stillLoaded
    ? words.loaded(item.model, item.vramBytes)
    : item.stillLoaded === false
      ? words.unloaded(item.model)
      : words.unknown(item.model);
  return (
    <div className="banner">
      <Icon name="stopped" />
      <h2>
        {item.appClosed ? words.appClosed : words.title(stopTimes(item).restMs)}{' '}
        {item.model !== '' && resident}
      </h2>
      <p className="t2 num">
        {keptWords(item)} {words.ran(ran.files, ran.commands, isIdle)}
      </p>
      <SlotLine item={item} />
      {last && (
        <NextSteps
          code={item.slot === 'lost' ? 'slot_lost' : ''}
          more={<EditsBack turnId={item.turnId} />}
          aside={<Idle item={item} finishes={finishes} />}
        />
      )}
    </div>
  );
}

/** Silent where the prompt was never on its way to the engine. */
function keptWords(item: Stopped): string {
  const known = keptOf(item);
  if (known === null) return '';
  return known.kept === null ? words.keptUnknown : words.kept(known.kept, known.prompt, item.counted);
}

/** The way back from what the stopped turn wrote, and from that way. What could not be undone is told as a notice. */
function EditsBack({ turnId }: { turnId: string }) {
  const { run } = useCommands();
  const items = useSession((session) => session.state?.items);
  const files = useSession((session) => session.state?.files);
  const running = useSession((session) => session.state?.session.status === 'running');
  const { undo, redo } = useMemo(() => wayBack(items ?? [], files ?? [], turnId), [items, files, turnId]);
  const paths = undo.length > 0 ? undo : redo;
  if (paths.length === 0) return null;
  const back = undo.length > 0;
  return (
    <Button
      icon={back ? 'undo' : 'redo'}
      disabled={running}
      title={running ? changedFiles.whileRunning : paths.join('\n')}
      onClick={() => void (back ? run('files/undo', { turnId }) : run('files/redo', { paths }))}
    >
      {back ? changedFiles.turn.undo(paths.length) : changedFiles.turn.redo(paths.length)}
    </Button>
  );
}

/** What became of Ollama's one slot, where the stop may have cost it. */
function SlotLine({ item: { slot, reloadMs } }: { item: Stopped }) {
  if (slot === undefined || slot === 'sound') return null;
  if (slot === 'unproved') return <p className="t3">{words.slots.unproved}</p>;
  return (
    <p className="with-mark">
      <Mark icon={slot === 'lost' ? 'failed' : 'alert'} tone={slot === 'lost' ? 'fail' : 'warn'} />
      <span>{slot === 'lost' ? words.slots.lost : words.slots.cured(reloadMs ?? null)}</span>
    </p>
  );
}

/** The proof comes within seconds; one that stays out (the window was closed meanwhile) is not waited for. */
const proofLimitMs = 30_000;

function useFinishes({ idleMs, closedMs, startedAt }: Stopped): boolean {
  const waits = idleMs === undefined && closedMs !== null;
  const elapsed = useElapsed(waits ? startedAt : null, 5000);
  return waits && elapsed < proofLimitMs;
}

/** Closed is not idle: says that the engine still finishes, and then how much sooner the connection was closed. */
function Idle({ item, finishes }: { item: Stopped; finishes: boolean }) {
  const { restMs, closedMs } = stopTimes(item);
  if (restMs !== null && closedMs !== null)
    return <span className={`meta num ${styles.idle}`}>{words.closed(closedMs)}</span>;
  return finishes && <span className={`meta ${styles.idle}`}>{words.finishing}</span>;
}
