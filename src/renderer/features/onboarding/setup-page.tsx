import { useEffect, useRef, useState } from 'react';
import { isOnHost } from '../../../rules/model-names.ts';
import { onboarding as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isSimulated } from '../../commands/first-run-commands.ts';
import { useEngine } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { EngineStep } from './engine-step.tsx';
import { stepNow, type StepName } from './first-run.ts';
import { FolderStep } from './folder-step.tsx';
import type { GuidePlatform } from './install-guide.ts';
import { ModelStep } from './model-step.tsx';
import { SayContext } from './pieces.tsx';
import css from './setup.module.css';
import { TaskStep, useWaitingTask } from './task-step.tsx';
import { Tour, type TourStage } from './tour.tsx';
import { useBusy } from './use-busy.ts';
import { useFirstRunState } from './use-first-run.ts';

interface SetupPageProps {
  platform: GuidePlatform;
  /** Where the tour is shown. */
  stage: TourStage;
}

/** The first start, over the whole window: four steps, of which one is open and has one button that leads on. */
export function SetupPage({ platform, stage }: SetupPageProps) {
  const { run } = useCommands();
  const [touring, setTouring] = useState(false);
  const [said, setSaid] = useState('');
  const place = useKeptFocus();
  return (
    <main ref={place} className={css.page}>
      <section className={css.column} aria-label={text.title}>
        <div className={css.top}>
          <h1>{text.title}</h1>
          <Button small kind="quiet" onClick={() => void run('first-run/leave')}>
            {text.skip}
          </Button>
        </div>
        {/* What changes every second on a step stays outside: a live region of all of it would never be quiet. */}
        <output className="sr-only">{said}</output>
        <SayContext value={setSaid}>
          {touring ? (
            <Tour stage={stage} onClose={() => setTouring(false)} />
          ) : (
            <Steps platform={platform} onTour={() => setTouring(true)} />
          )}
        </SayContext>
      </section>
    </main>
  );
}

function Steps({ platform, onTour }: { platform: GuidePlatform; onTour: () => void }) {
  const state = useFirstRunState();
  const pulls = useEngine(({ engine }) => engine?.pulls);
  const exposed = useEngine(
    ({ engine }) => engine?.status.kind === 'running' && engine.status.exposed === true,
  );
  const { workspace, hosts } = useTarget();
  const waiting = useWaitingTask() !== undefined;
  const [changing, setChanging] = useState<string | null>(null);
  // A folder that was chosen ends the change of it.
  const hasFolder = workspace !== null && changing !== workspace;
  const now = stepNow({ state, pulls: pulls ?? [], hasFolder });
  const ready = state.kind === 'ready';
  const isElsewhere = state.kind === 'ready' && isOnHost(state.model, hosts);
  const folder = hasFolder ? 'done' : now === 'folder' ? 'now' : 'later';
  return (
    <>
      <p className={css.lead}>{isElsewhere ? text.leads.elsewhere : leadWords(now, { ready, waiting })}</p>
      <ol className={css.steps} aria-label={text.stepsLabel}>
        <EngineStep state={state} platform={platform} isNow={now === 'engine'} />
        <ModelStep state={state} now={now} />
        <FolderStep
          state={folder}
          onChange={now === 'task' && !waiting ? () => setChanging(workspace) : null}
        />
        <TaskStep state={now === 'task' ? 'now' : 'later'} ready={ready} />
      </ol>
      {exposed && (
        <p className={css.exposed}>
          <Mark icon="alert" tone="warn" />
          <span>{text.engine.exposed}</span>
        </p>
      )}
      <Looking onTour={onTour} />
    </>
  );
}

function leadWords(now: StepName, { ready, waiting }: { ready: boolean; waiting: boolean }): string {
  if (ready || now === 'engine' || now === 'model') return text.leads.local;
  return waiting ? text.leads.waits : text.leads.coming;
}

/** For who wants to see it first: the demo beside this window, or a recording in it. */
function Looking({ onTour }: { onTour: () => void }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const simulated = useEngine(({ engine }) => isSimulated(engine));
  return (
    <div className={css.look}>
      <span>{text.looking}</span>
      {!simulated && (
        <Button small aria-disabled={busy} onClick={() => void during(() => run('first-run/demo'))}>
          {text.demo}
        </Button>
      )}
      <Button small kind="quiet" onClick={onTour}>
        {text.tour}
      </Button>
    </div>
  );
}

const takesFocus = 'button, input, textarea, a[href], [tabindex="0"]';

const firstIn = (place: Element): HTMLElement | null => place.querySelector(takesFocus);

/**
 * What had the keyboard may go away with what it did, or by itself: then what took its place has it, and where a whole
 * step went, the title of the one that is now.
 */
function useKeptFocus() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = place.current;
    if (!root) return;
    /** From what has the keyboard outwards, up to the step; empty = it is elsewhere. */
    let around: Element[] = [];
    const focused = ({ target }: FocusEvent): void => {
      around = [];
      for (let at = target as Element | null; at && at.tagName !== 'OL' && at !== root; at = at.parentElement)
        around.push(at);
    };
    const left = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget) around = [];
    };
    const observer = new MutationObserver(() => {
      if (around.length === 0 || around[0]?.isConnected || document.activeElement !== document.body) return;
      const near = around.filter((each) => each.isConnected && isOpen(each)).map(firstIn);
      const title = root.querySelector<HTMLElement>('[aria-current="step"] h2');
      (near.find((each) => each !== null) ?? title)?.focus();
    });
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener('focusin', focused);
    root.addEventListener('focusout', left);
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', focused);
      root.removeEventListener('focusout', left);
    };
  }, []);
  return place;
}

/** A step that is done, or goes on without anybody, is no place to be left in. */
function isOpen(place: Element): boolean {
  const step = place.closest('li');
  return step === null || step.getAttribute('aria-current') === 'step';
}
