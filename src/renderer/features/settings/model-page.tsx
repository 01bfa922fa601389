import { useState } from 'react';
import type {
  EngineState,
  ModelDetails,
  ModelInfo,
  Profile,
  SessionSummary,
} from '../../../protocol/model.ts';
import { defaultContextTokens } from '../../../protocol/profile-limits.ts';
import { exam as examText, library, settings } from '../../text.ts';
import { bytes, count } from '../../formats.ts';
import { Button } from '../../components/button.tsx';
import { ExamView } from '../../components/exam-view.tsx';
import { Icon } from '../../components/icon.tsx';
import { ScrollText } from '../../components/scroll-region.tsx';
import { timeAndDay } from '../../components/time-of-day.ts';
import { useCommands } from '../../commands/commands.ts';
import { useExam } from '../../commands/use-exam.ts';
import { canChat, loadedModel } from '../../stores/derive.ts';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { ActionButton, AskedButton } from './controls.tsx';
import { Capabilities } from './capabilities.tsx';
import { FailureLine, Row } from './pane-parts.tsx';
import { LearntAbilities } from './learnt-abilities.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { WindowFit } from './window-fit.tsx';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = library.details;

interface ModelPageProps {
  model: ModelInfo;
  engine: EngineState;
  onBack: () => void;
}

/** One installed model: what it is, what it would take with which window, who uses it; and the way to be rid of it. */
export function ModelPage({ model, engine, onBack }: ModelPageProps) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const details = useAsked(`details:${model.name}:${model.digest}`, (ask) => ask.details(model.name));
  const profiles = useHost((host) => host.profiles);
  const sessions = useHost((host) => host.sessions);
  const dependents = dependentsOf(model.name, { profiles, sessions }, details.value?.dependents ?? []);
  const users = dependents.filter(({ kind }) => kind === 'profile' || kind === 'session').length;
  return (
    <div className={settingsStyles.pane}>
      <div className={settingsStyles.pageHead}>
        <Button kind="quiet" small onClick={onBack}>
          <Icon name="previous" />
          {text.back}
        </Button>
      </div>
      <h2 dir="auto">{model.name}</h2>
      <p className="meta num">
        {[bytes(model.sizeBytes), model.parameterSize, model.quantization].filter(Boolean).join(', ')}
      </p>
      {canChat(model) && <Fitting model={model} engine={engine} />}
      {canChat(model) && <ExamOf model={model} />}
      {canChat(model) && <LearntAbilities model={model} />}
      <h2>{text.about}</h2>
      <Facts model={model} details={details.value} />
      {details.failure && (
        <FailureLine
          failure={{ message: text.failed, advice: details.failure.message }}
          onAgain={details.again}
        />
      )}
      <h2>{text.used}</h2>
      <Dependents model={model.name} dependents={dependents} />
      {details.value && <Papers details={details.value} />}
      <div className="acts">
        <AskedButton
          kind="danger"
          busy={busy}
          title={text.removeTitle(model.name)}
          text={text.removeText(model.sizeBytes, users)}
          confirm={text.remove}
          keep={text.keep}
          onConfirm={() => void attempt(() => registry['model/delete'].run({ model: model.name }))}
        >
          {text.remove}
        </AskedButton>
      </div>
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}

function Facts({ model, details }: { model: ModelInfo; details: ModelDetails | null }) {
  const { facts, unknown } = text;
  const trained = details?.trainedContext ?? model.trainedContext;
  const cache = details?.cacheBytesPerToken ?? null;
  return (
    <dl className={`${settingsStyles.rows} num`}>
      <Row label={facts.size}>{bytes(model.sizeBytes)}</Row>
      <Row label={facts.kind}>{details?.architecture ?? (model.family || unknown)}</Row>
      <Row label={facts.parameters}>{model.parameterSize || unknown}</Row>
      <Row label={facts.quantization}>{model.quantization || unknown}</Row>
      <Row label={facts.capabilities}>
        <span className={libraryStyles.tags}>
          <Capabilities model={model} />
        </span>
      </Row>
      <Row label={facts.trained}>{trained === null ? unknown : text.tokens(trained)}</Row>
      {details && (
        <>
          <Row label={facts.layers}>{details.layers === null ? unknown : count(details.layers)}</Row>
          <Row label={facts.cache}>{cache === null ? unknown : text.perToken(cache)}</Row>
          <Row label={facts.digest}>
            <span className="mono">{details.digest}</span>
          </Row>
        </>
      )}
    </dl>
  );
}

/** What was measured of it on this GPU, and the way to measure it. */
function ExamOf({ model }: { model: ModelInfo }) {
  const exam = useExam(model.name, model.digest);
  return (
    <>
      <h2>{examText.title}</h2>
      <ExamView {...exam} when={timeAndDay} />
    </>
  );
}

/** The slider starts where the model is loaded, else at the window of the profile in use. */
function Fitting({ model, engine }: { model: ModelInfo; engine: EngineState }) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const profile = useTarget().profile;
  const loaded = loadedModel(engine, model.name);
  const [chosen, setChosen] = useState<number | null>(null);
  const value = chosen ?? loaded?.contextTokens ?? profile?.contextTokens ?? defaultContextTokens;
  return (
    <>
      <h2>{library.fit.title}</h2>
      <WindowFit model={model.name} trained={model.trainedContext} value={value} onChoose={setChosen} />
      <div className="acts">
        <ActionButton
          busy={busy}
          onClick={() =>
            void attempt(() => registry['model/preload'].run({ model: model.name, contextTokens: value }))
          }
        >
          {library.fit.load}
        </ActionButton>
      </div>
      <p className={`meta ${settingsStyles.paneNote}`}>{settings.models.note}</p>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function Dependents({ model, dependents }: { model: string; dependents: Dependent[] }) {
  if (dependents.length === 0) return <p className="t2">{text.nobody}</p>;
  return (
    <ul className={libraryStyles.dependents}>
      {dependents.map(({ kind, name }) => (
        <li key={`${kind}:${name}`}>
          <span className="cut">{name === model ? text.memory : name}</span>
          <span className="meta">{text.kinds[kind]}</span>
        </li>
      ))}
    </ul>
  );
}

/** Long texts that the model came with, closed until somebody wants them. */
function Papers({ details: { parameters, licence } }: { details: ModelDetails }) {
  return (
    <>
      {[[text.defaults, parameters] as const, [text.licence, licence] as const].map(
        ([title, content]) =>
          content.trim() !== '' && (
            <details className={libraryStyles.paper} key={title}>
              <summary>{title}</summary>
              <ScrollText label={title} className="out">
                {content}
              </ScrollText>
            </details>
          ),
      )}
    </>
  );
}

/** Who uses a model: what deleting it would leave without one. Pure. */
type Dependent = ModelDetails['dependents'][number];

/** Profiles and sessions as the window knows them, what the engine knows besides. */
export function dependentsOf(
  model: string,
  { profiles, sessions }: { profiles: Profile[]; sessions: SessionSummary[] },
  engine: Dependent[],
): Dependent[] {
  const same = (name: string | null): boolean =>
    name !== null && withTag(name.toLowerCase()) === withTag(model.toLowerCase());
  return [
    ...profiles
      .filter(({ models }) => models.some(same))
      .map(({ name }) => ({ kind: 'profile' as const, name })),
    ...sessions
      .filter((session) => same(session.model))
      .map(({ title }) => ({ kind: 'session' as const, name: title })),
    ...engine.filter(({ kind }) => kind === 'loaded' || kind === 'tag'),
  ];
}

/** Ollama adds the tag by itself. */
function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}
