/** The last step: a model that can do the work, what it can do here, and a first task that shows it. */
import type { EngineState, Profile } from '../../../protocol/model.ts';
import { firstTask, onboarding as text } from '../../text.ts';
import { isOnHost } from '../../../rules/model-names.ts';
import { Button } from '../../components/button.tsx';
import { ExamView } from '../../components/exam-view.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { timeAndDay } from '../../components/time-of-day.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { useExam } from '../../commands/use-exam.ts';
import { canCallTools, loadedModel } from '../../stores/derive.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { Fact, Facts, Screen } from './pieces.tsx';
import { useBusy } from './use-busy.ts';

interface ReadyProps {
  model: string;
  engine: EngineState | null;
  /** null = the tour is on screen. */
  onTour: (() => void) | null;
}

export function Ready({ model, engine, onTour }: ReadyProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const { profile, hosts } = useTarget();
  // What another server has in memory, and how fast it is, is not for Andiron to change.
  const onHost = isOnHost(model, hosts);
  const planner = useHost((host) => taskProfile(host.profiles, profile));
  const toured = useUi((ui) => ui.firstRun.done.includes('tour'));
  const info = engine?.models.find((candidate) => candidate.name === model);
  const exam = useExam(model, info?.digest ?? '');
  const able = info ? canCallTools(info) : null;
  const loaded = loadedModel(engine, model);
  const fixed = able === false && profile?.tools.length !== 0 ? profile : undefined;
  const runTask = (): void => {
    if (!planner) return;
    void during(() => run('first-run/run-task', { text: firstTask.message, profileId: planner.id }));
  };
  return (
    <Screen
      title={text.ready.title}
      lead={
        onHost
          ? text.ready.leadOnHost(model)
          : loaded
            ? text.ready.leadLoaded(model, loaded.vramBytes, loaded.contextTokens)
            : text.ready.lead(model)
      }
      actions={
        <>
          <Button kind="primary" aria-disabled={busy || !planner} onClick={runTask}>
            {firstTask.run}
          </Button>
          <Button onClick={() => void run('first-run/own-folder')}>{firstTask.own}</Button>
          {onTour && (
            <Button kind="quiet" onClick={onTour}>
              {toured ? text.ready.tourAgain : text.ready.tour}
            </Button>
          )}
        </>
      }
      rest={
        // One place from loading over the exam to what it found: the keyboard stays in it.
        !onHost && (
          <div>
            {(fixed || !loaded || !exam.result) && (
              <Facts>
                {fixed && (
                  <Fact label={text.ready.fixed}>
                    <InFixedForm profile={fixed} />
                  </Fact>
                )}
                {!fixed && !exam.result && (
                  <Fact label={text.ready.tools}>
                    <ToolCalls able={able} />
                  </Fact>
                )}
                {!loaded && (
                  <Fact label={text.ready.memory}>
                    <Residency model={model} engine={engine} profile={profile} />
                  </Fact>
                )}
              </Facts>
            )}
            <section className="fr-panel fr-exam" aria-label={text.ready.exam}>
              <ExamView {...exam} when={timeAndDay} />
            </section>
          </div>
        )
      }
    >
      <p className="fr-task">
        {firstTask.what} <span className="t2">{firstTask.how}</span>
      </p>
    </Screen>
  );
}

function ToolCalls({ able }: { able: boolean | null }) {
  return (
    <span className="fr-state">
      {able === true && <Mark icon="done" tone="ok" />}
      {text.ready.toolStates[able === null ? 'unknown' : able ? 'yes' : 'no']}
    </span>
  );
}

/** It was chosen, and is taken back here. */
function InFixedForm({ profile }: { profile: Profile }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const words = text.ready.fixedBy(profile.name);
  return (
    <span className="fr-command">
      <span className="cut">{words}</span>
      <Button
        small
        kind="quiet"
        icon="undo"
        aria-disabled={busy}
        aria-description={words}
        onClick={() => void during(() => run('profile/undo-calls', { profileId: profile.id }))}
      >
        {text.ready.undo}
      </Button>
    </span>
  );
}

/** One that plans shows most; else the one in use. */
function taskProfile(profiles: readonly Profile[], inUse: Profile | undefined): Profile | undefined {
  const able = profiles.filter(({ tools }) => tools.includes('write_file'));
  return (
    able.find(({ planningEnabled }) => planningEnabled) ?? able.find(({ id }) => id === inUse?.id) ?? able[0]
  );
}

interface ResidencyProps {
  model: string;
  engine: EngineState | null;
  profile: Profile | undefined;
}

function Residency({ model, engine, profile }: ResidencyProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const loading = engine?.loading?.model === model ? engine.loading : null;
  const elapsed = useElapsed(loading?.since ?? null);
  const size = engine?.models.find((candidate) => candidate.name === model)?.sizeBytes;
  if (loading) return <span className="num">{text.ready.loading(elapsed)}</span>;
  const load = (): void => {
    const window = profile && { contextTokens: profile.contextTokens };
    void during(() => run('model/preload', { model, ...window }));
  };
  return (
    <span className="fr-command">
      <span className="cut">
        {size === undefined ? text.ready.toolStates.unknown : text.ready.cold(size)}
      </span>
      <Button small aria-disabled={busy} onClick={load}>
        {text.ready.load}
      </Button>
    </span>
  );
}
