/** The second step: a model that can do the work. */
import type { EngineState, Pull } from '../../../protocol/model.ts';
import { composer, onboarding as text } from '../../text.ts';
import { bytes } from '../../../text/format.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { canCallTools } from '../../stores/derive.ts';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { ByCommand, ModelChoice, pullCommand } from './model-choice.tsx';
import { CommandLine, Fact, Facts, LookAgain, Screen } from './pieces.tsx';
import { Pulls } from './pulls.tsx';
import { useBusy } from './use-busy.ts';
import type { Offer } from './use-offer.ts';

export function NoModel({ offer, pulls }: { offer: Offer; pulls: Pull[] }) {
  const { total } = offer.vram;
  // While one comes, there is nothing to choose: what is left of the screen is the tour's.
  if (pulls.some(isComing)) {
    return (
      <Screen title={text.noModel.coming} lead={text.noModel.leadComing}>
        <Pulls pulls={pulls} />
      </Screen>
    );
  }
  const { noModel } = text;
  const lead = total === null ? noModel.leadUnknown : total === 0 ? noModel.leadNoGpu : noModel.lead;
  return (
    <Screen
      title={total ? noModel.title : noModel.titleNoGpu}
      lead={lead}
      actions={
        <>
          {offer.chosen && <Get model={offer.chosen.name} gb={offer.chosen.downloadGB} pulls={pulls} />}
          <LookAgain />
        </>
      }
      rest={<ByCommand offer={offer} pulls={pulls} />}
    >
      <ModelChoice offer={offer} />
      <Pulls pulls={pulls} />
    </Screen>
  );
}

/** By itself, without anybody doing anything. */
export function isComing({ phase }: Pull): boolean {
  return phase === 'waiting' || phase === 'pulling' || phase === 'verifying';
}

/** Begins the download right here; gone while it is on its way. */
function Get(props: { model: string; gb: number | null; pulls: Pull[]; plain?: boolean }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  if (props.pulls.some(({ model }) => model === props.model)) return null;
  return (
    <Button
      kind={props.plain ? 'plain' : 'primary'}
      aria-disabled={busy}
      onClick={() => void during(() => run('model/pull', { model: props.model }))}
    >
      {text.choose.get(props.model, props.gb)}
    </Button>
  );
}

export function Missing({ model, pulls }: { model: string; pulls: Pull[] }) {
  const { run } = useCommands();
  return (
    <Screen
      title={text.missing.title(model)}
      lead={text.missing.lead}
      actions={
        <>
          <Button kind="primary" onClick={() => void run('session/set-model', { model: null })}>
            {text.missing.auto}
          </Button>
          <Get model={model} gb={null} pulls={pulls} plain />
          <LookAgain />
        </>
      }
    >
      <Pulls pulls={pulls} />
      <Facts>
        <Fact label={text.choose.pullLabel}>
          <CommandLine command={pullCommand(model)} />
        </Fact>
      </Facts>
    </Screen>
  );
}

export function NoTools({
  model,
  engine,
  offer,
}: {
  model: string;
  engine: EngineState | null;
  offer: Offer;
}) {
  const { run } = useCommands();
  const profile = useTarget().profile;
  const talking = useHost((host) => host.profiles.find((candidate) => candidate.tools.length === 0));
  const able = (engine?.models ?? []).filter((candidate) => canCallTools(candidate) === true);
  const best = able[0];
  const chat = talking && (
    <Button onClick={() => void run('session/set-profile', { profileId: talking.id })}>
      {text.noTools.chat(talking.name)}
    </Button>
  );
  const pulls = engine?.pulls ?? [];
  const others = (
    <>
      {chat}
      <LookAgain />
      <Button kind="quiet" onClick={() => void run('view/settings')}>
        {text.noTools.profiles}
      </Button>
    </>
  );
  const works = (
    <>
      <Fact label={text.noTools.works}>{text.noTools.worksChat}</Fact>
      <Fact label={text.noTools.not}>{text.noTools.notHelp}</Fact>
    </>
  );
  const lead = text.noTools.lead(profile?.name ?? composer.profile.none);
  if (!best) {
    return (
      <Screen
        title={text.noTools.title(model)}
        lead={`${lead} ${text.noTools.none}`}
        actions={
          <>
            {offer.chosen && <Get model={offer.chosen.name} gb={offer.chosen.downloadGB} pulls={pulls} />}
            {others}
          </>
        }
        rest={
          <>
            <ByCommand offer={offer} pulls={pulls} />
            <Facts>{works}</Facts>
          </>
        }
      >
        <ModelChoice offer={offer} />
        <Pulls pulls={pulls} />
      </Screen>
    );
  }
  return (
    <Screen
      title={text.noTools.title(model)}
      lead={lead}
      actions={
        <>
          <Button kind="primary" onClick={() => void run('session/set-model', { model: best.name })}>
            {text.noTools.use(best.name)}
          </Button>
          {others}
        </>
      }
    >
      <Facts>
        {works}
        {able.map((candidate, index) => (
          <Fact key={candidate.name} label={index === 0 ? text.noTools.installed : ''}>
            <span className="fr-command">
              <span className="cut">
                {candidate.name}, {bytes(candidate.sizeBytes)}
              </span>
              {candidate !== best && (
                <Button small onClick={() => void run('session/set-model', { model: candidate.name })}>
                  {text.noTools.use(candidate.name)}
                </Button>
              )}
            </span>
          </Fact>
        ))}
      </Facts>
    </Screen>
  );
}
