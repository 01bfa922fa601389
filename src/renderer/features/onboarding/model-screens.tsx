/** The second step: a model that can do the work. */
import type { Pull } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
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
export function Get(props: { model: string; gb: number | null; pulls: Pull[]; plain?: boolean }) {
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
