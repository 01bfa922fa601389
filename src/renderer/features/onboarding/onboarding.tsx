import { useState } from 'react';
import type { EngineState } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useEngine } from '../../stores/stores.ts';
import { splitVram } from '../../stores/vram.ts';
import { recommendFor, type CatalogueName } from './catalogue.ts';
import { Absent, Starting, Stopped, Wrong } from './engine-screens.tsx';
import type { FirstRunState } from './first-run.ts';
import { GpuFacts } from './gpu-facts.tsx';
import type { GuidePlatform } from './install-guide.ts';
import { Missing, NoModel, NoTools, Ready, type Offer } from './model-screens.tsx';
import { Screen } from './pieces.tsx';
import './onboarding.css';

interface OnboardingProps {
  state: FirstRunState;
  platform: GuidePlatform;
  /** "Ready" was seen; the composer takes over. */
  onDone: () => void;
}

/** The first start: three steps, and on each the one thing that is missing. */
export function Onboarding({ state, platform, onDone }: OnboardingProps) {
  const engine = useEngine((current) => current.engine);
  const offer = useOffer(engine);
  const offers = state.kind === 'no-model' || (state.kind === 'no-tools' && !hasToolModel(engine));
  const exposed = engine?.status.kind === 'running' && engine.status.exposed === true;
  return (
    <div className="scroll">
      <section className="first-run" aria-label={text.label}>
        <Steps at={stepOf(state)} />
        <GpuFacts engine={engine} planned={offers ? (offer.chosen ?? null) : null} />
        {/* A screen appears by itself when something changed: say so to those who do not see it. */}
        <div aria-live="polite">
          <StateScreen state={state} platform={platform} engine={engine} offer={offer} onDone={onDone} />
        </div>
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

function StateScreen(props: OnboardingProps & { engine: EngineState | null; offer: Offer }) {
  const { state, engine, offer } = props;
  switch (state.kind) {
    case 'unknown':
      return <Screen title={text.unknown.title} lead={text.unknown.lead} />;
    case 'absent':
      return <Absent state={state} platform={props.platform} setup={engine?.setup ?? null} />;
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
      return <Ready model={state.model} engine={engine} onDone={props.onDone} />;
  }
}

function useOffer(engine: EngineState | null): Offer {
  const [name, setName] = useState<CatalogueName | null>(null);
  const vram = engine?.gpus ? splitVram(engine.gpus, engine.loaded) : { total: null, free: null };
  const models = recommendFor(vram);
  return {
    models,
    vram,
    chosen: models.find((model) => model.name === name) ?? models[0],
    onChoose: setName,
  };
}

function hasToolModel(engine: EngineState | null): boolean {
  return engine?.models.some((model) => model.capabilities?.includes('tools')) ?? false;
}

const stepNames = [text.steps.engine, text.steps.model, text.steps.task];

function stepOf({ kind }: FirstRunState): number {
  if (kind === 'ready') return 2;
  return kind === 'no-model' || kind === 'missing' || kind === 'no-tools' ? 1 : 0;
}

function Steps({ at }: { at: number }) {
  return (
    <ol className="fr-steps" aria-label={text.steps.label}>
      {stepNames.map((name, index) => {
        const state = index < at ? 'done' : index === at ? 'now' : 'later';
        return (
          <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
            {state === 'done' && <Mark icon="done" tone="ok" />}
            {state === 'now' && <Mark icon="running" tone="run" />}
            {state === 'later' && <Icon name="queued" />}
            {name}
            <span className="sr-only">, {text.steps.states[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}
