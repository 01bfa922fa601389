import { useEffect, useRef, useState, useSyncExternalStore, type ComponentType } from 'react';
import { tour as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { OpenSessionStore } from '../../stores/session-store.ts';
import { useUi } from '../../stores/stores.ts';
import { createPlayer, type Player } from './tour-player.ts';
import css from './tour.module.css';
import { recordingOf, type TourChapter } from './tour-recording.ts';
import recorded from './tour-recording.json?raw';

/** Shows a session as it was, in the components that show every session. The app provides it: features stay apart. */
export type TourStage = ComponentType<{ session: OpenSessionStore }>;

interface TourProps {
  stage: TourStage;
  onClose: () => void;
}

/** A recording that costs the engine nothing: played, paused, stepped through, skipped. */
export function Tour({ stage: Stage, onClose }: TourProps) {
  const { run } = useCommands();
  const [player] = useState(newPlayer);
  const frame = useSyncExternalStore(player.subscribe, player.frame);
  const calm = useCalm();
  useBeginning(player, calm);
  const close = (): void => {
    void run('first-run/step-done', { step: 'tour' });
    onClose();
  };
  useEffect(() => {
    if (frame.ended) void run('first-run/step-done', { step: 'tour' });
  }, [frame.ended, run]);
  // What opened it is gone with the steps.
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { chapters, lengthMs } = player.recording;
  return (
    <section aria-label={text.label}>
      <div className={css.head}>
        <h2 ref={title} tabIndex={-1} className="strong">
          {text.title}
        </h2>
        <span className="tag">{text.mark}</span>
        <span className="meta cut grow" title={text.markHelp}>
          {text.markHelp}
        </span>
        <span className="meta num">{text.time(frame.at, lengthMs)}</span>
      </div>
      {/* A picture of a window: what can be pressed in it would do nothing, so nothing can be. The words beside tell it. */}
      <div className={css.stage} inert aria-hidden="true">
        <Stage session={player.session} />
      </div>
      <div>
        <p className={css.caption} aria-live="polite">
          <span className="meta num">{text.place(frame.index + 1, chapters.length)}</span>
          <span>{text.chapters[frame.chapter]}</span>
        </p>
        <div className={css.acts}>
          {frame.ended ? (
            <Button icon="redo" onClick={player.play}>
              {text.again}
            </Button>
          ) : (
            <>
              {!calm && (
                <Button onClick={frame.playing ? player.pause : player.play}>
                  {frame.playing ? text.pause : frame.at === 0 ? text.play : text.goOn}
                </Button>
              )}
              <Button onClick={player.next}>{text.next}</Button>
            </>
          )}
          <Button kind="quiet" onClick={close}>
            {frame.ended ? text.close : text.skip}
          </Button>
        </div>
      </div>
    </section>
  );
}

function newPlayer(): Player<TourChapter> {
  return createPlayer(recordingOf(recorded), {
    now: Date.now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** Once, when it appears: steps begin with the first of them, so that there is something to see. */
function useBeginning(player: Player<TourChapter>, calm: boolean): void {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    if (calm) player.next();
    else player.play();
  }, [player, calm]);
}

/** Less motion, by the system or by the person's own setting: then it is stepped through. */
function useCalm(): boolean {
  const chosen = useUi((ui) => ui.motion === 'reduced');
  const [system] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  return chosen || system;
}
