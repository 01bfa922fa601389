import { useState, useEffect, useRef } from 'react';
import type { EngineState } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useEngine, useUi } from '../../stores/stores.ts';
import { Absent, Searching, Starting, Stopped, Wrong } from './engine-screens.tsx';
import type { FirstRunState } from './first-run.ts';
import { GpuFacts } from './gpu-facts.tsx';
import type { GuidePlatform } from './install-guide.ts';
import { isComing, Missing, NoModel } from './model-screens.tsx';
import { NoTools } from './no-tools.tsx';
import { SayContext, StepMark } from './pieces.tsx';
import { Ready } from './ready.tsx';
import { Tour, type TourStage } from './tour.tsx';
import { useOffer, type Offer } from './use-offer.ts';
import './onboarding.css';

interface OnboardingProps {
  state: FirstRunState;
  platform: GuidePlatform;
  /** Where the tour is shown. */
  stage: TourStage;
}

/** The first start: three steps, and on each the one thing that is missing. */
export function Onboarding({ state, platform, stage }: OnboardingProps) {
  const { run } = useCommands();
  const engine = useEngine((current) => current.engine);
  const offers = state.kind === 'no-model' || (state.kind === 'no-tools' && !hasToolModel(engine));
  const offer = useOffer(engine, offers);
  const coming = engine?.pulls.some(isComing) ?? false;
  const tour = useTour(engine);
  const [said, setSaid] = useState('');
  const place = useKeptFocus();
  const exposed = engine?.status.kind === 'running' && engine.status.exposed === true;
  return (
    <div className="scroll">
      <section ref={place} className="first-run" aria-label={text.label}>
        <div className="fr-top">
          <Steps at={stepOf(state)} />
          <Button small kind="quiet" onClick={() => void run('first-run/leave')}>
            {text.leave}
          </Button>
        </div>
        <GpuFacts engine={engine} planned={offers && !coming ? (offer.chosen ?? null) : null} />
        {/* What is told anew every second on a screen stays outside: a live region of all of it would never be quiet. */}
        <output className="sr-only">{said}</output>
        <SayContext value={setSaid}>
          <StateScreen
            state={state}
            platform={platform}
            engine={engine}
            offer={offer}
            onTour={tour.shown ? null : tour.open}
          />
        </SayContext>
        {tour.shown && <Tour stage={stage} begins={tour.begins} onClose={tour.close} />}
        {exposed && (
          <p className="fr-exposed">
            <Mark icon="alert" tone="warn" />
            <span>
              {text.exposed.title}. <span className="t2">{text.exposed.help}</span>
            </span>
          </p>
        )}
      </section>
    </div>
  );
}

/**
 * The tour stands under whatever is going on: it comes with a download that somebody has to wait for, stays when that is
 * over, and never hides what became ready.
 */
function useTour(engine: EngineState | null) {
  const done = useUi((ui) => ui.firstRun.done.includes('tour'));
  const waits = isWaiting(engine);
  const [asked, setAsked] = useState<'open' | 'closed' | null>(null);
  // One that was under way when the window opened is no reason to begin by itself.
  const [waitedBefore] = useState(waits);
  const [came, setCame] = useState(waits);
  if (waits && !came) setCame(true);
  return {
    shown: asked === 'open' || (asked === null && came && (!done || waits)),
    begins: asked === 'open' || (came && !waitedBefore),
    open: () => setAsked('open'),
    close: () => setAsked('closed'),
  };
}

/** For something that takes minutes. */
function isWaiting(engine: EngineState | null): boolean {
  const job = engine?.setup.job;
  return (
    (engine?.pulls.some(isComing) ?? false) ||
    (job != null && job.phase !== 'failed' && job.phase !== 'paused')
  );
}

interface StateScreenProps extends Omit<OnboardingProps, 'stage'> {
  engine: EngineState | null;
  offer: Offer;
  onTour: (() => void) | null;
}

function StateScreen({ state, platform, engine, offer, onTour }: StateScreenProps) {
  switch (state.kind) {
    case 'unknown':
      return <Searching status={engine?.status.kind ?? null} />;
    case 'absent':
      return (
        <Absent
          state={state}
          platform={platform}
          setup={engine?.setup ?? null}
          gone={engine !== null && engine.modelsReadAt !== null}
        />
      );
    case 'stopped':
      return <Stopped state={state} />;
    case 'starting':
      return <Starting state={state} />;
    case 'wrong':
      return <Wrong state={state} />;
    case 'no-model':
      return <NoModel offer={offer} pulls={engine?.pulls ?? []} />;
    case 'missing':
      return <Missing model={state.model} pulls={engine?.pulls ?? []} />;
    case 'no-tools':
      return <NoTools model={state.model} engine={engine} offer={offer} />;
    case 'ready':
      return <Ready model={state.model} engine={engine} onTour={onTour} />;
  }
}

function hasToolModel(engine: EngineState | null): boolean {
  return engine?.models.some((model) => model.capabilities?.includes('tools')) ?? false;
}

function stepOf({ kind }: FirstRunState): number {
  if (kind === 'ready') return 2;
  return kind === 'no-model' || kind === 'missing' || kind === 'no-tools' ? 1 : 0;
}

const stepNames = [text.steps.engine, text.steps.model, text.steps.task];

function Steps({ at }: { at: number }) {
  const tasked = useUi((ui) => ui.firstRun.done.includes('task'));
  return (
    <ol className="fr-steps" aria-label={text.steps.label}>
      {stepNames.map((name, index) => {
        const isDone = index < at || (index === 2 && tasked);
        const state = isDone ? 'done' : index === at ? 'now' : 'later';
        return (
          <li key={name} className={state} aria-current={index === at ? 'step' : undefined}>
            <StepMark state={state} />
            {name}
            <span className="sr-only">, {text.steps.states[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

const takesFocus = 'button, input, a[href], [tabindex="0"]';

const firstIn = (place: Element): HTMLElement | null => place.querySelector(takesFocus);

/**
 * What had the keyboard may go away with what it did, or by itself: then what took its place has it, and where a whole
 * screen went, the title of the next one.
 */
function useKeptFocus() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = place.current;
    if (!root) return;
    /** From what has the keyboard outwards; empty = it is elsewhere. */
    let around: Element[] = [];
    const focused = ({ target }: FocusEvent): void => {
      around = [];
      for (let at = target as Element | null; at && at !== root; at = at.parentElement) around.push(at);
    };
    const left = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget) around = [];
    };
    const observer = new MutationObserver(() => {
      if (around.length === 0 || around[0]?.isConnected || document.activeElement !== document.body) return;
      const near = around.filter((each) => each.isConnected).map(firstIn);
      (near.find((each) => each !== null) ?? root.querySelector('h2'))?.focus();
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
