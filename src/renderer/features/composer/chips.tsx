import type { ApprovalPolicy, EngineState, ModelInfo, Profile } from '../../../protocol/model.ts';
import { composer as text } from '../../text.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Menu, MenuChoices, type Choice } from '../../components/menu.tsx';
import { priceSentence } from '../../components/price-words.ts';
import { withoutDot } from '../../components/reread-words.ts';
import { useCommands } from '../../commands/commands.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { canCallTools, canChat, effectiveModel, loadedModel } from '../../stores/derive.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import { switchPrice, withEngine, type Payer, type Price } from '../../stores/price.ts';
import { usePayer } from '../../stores/use-payer.ts';
import { useTarget } from '../../stores/use-target.ts';

/** A chip opens the choice it shows. Its name says what it chooses and what is chosen. */
function chip(icon: IconName, label: string, value: string) {
  return (
    <button type="button" className="chip" aria-label={`${label}: ${value}`}>
      <Icon name={icon} />
      <span className="cut">{value}</span>
      <Icon name="down" />
    </button>
  );
}

export function ProfileChip() {
  const { run } = useCommands();
  const payer = usePayer();
  const { profile } = payer.target;
  const profiles = useHost((host) => host.profiles);
  const priced = useProfilePrices(payer, profiles);
  return (
    <Menu side="top" trigger={chip('user', text.profile.label, profile?.name ?? text.profile.none)}>
      <MenuChoices
        heading={text.profile.label}
        value={profile?.id ?? null}
        note={text.profile.nextReply}
        choices={profiles.map(({ id, name, description }) => ({
          value: id,
          label: name,
          help: id === profile?.id ? description : `${withoutDot(description)}. ${priceSentence(priced(id))}`,
        }))}
        onChoose={(profileId) => void run('session/set-profile', { profileId })}
      />
    </Menu>
  );
}

/** Stands for "the profile decides": never the name of a model. */
const auto = '';

/** What a switch to each would cost; its load as the engine reckons it, once that has answered. */
function useProfilePrices(payer: Payer, profiles: Profile[]): (id: string) => Price {
  const prices = new Map(profiles.map((profile) => [profile.id, switchPrice(payer, profile)]));
  const loads = profiles.flatMap(({ id, contextTokens }) => {
    const model = prices.get(id)?.load?.model;
    return model === undefined ? [] : [{ model, contextTokens }];
  });
  const key = loads.map(({ model, contextTokens }) => `${model}@${contextTokens}`).join();
  const { value } = useAnswer(key === '' ? null : key, (ask) =>
    Promise.allSettled(loads.map(({ model, contextTokens }) => ask.price(model, contextTokens))),
  );
  const answers = value?.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])) ?? [];
  return (id) => {
    const window = profiles.find((profile) => profile.id === id)?.contextTokens;
    const price = prices.get(id) ?? { load: null, reread: null, unread: true };
    const answer = answers.find(
      ({ model, contextTokens }) => model === price.load?.model && contextTokens === window,
    );
    return withEngine(price, answer ?? null);
  };
}

export function ModelChip() {
  const { run } = useCommands();
  const target = useTarget();
  const engine = useEngine((state) => state.engine);
  const models = engine?.models.filter(canChat) ?? [];
  const model = effectiveModel(target, models);
  const choices: Choice<string>[] = [
    { value: auto, label: text.model.auto },
    ...models.map((known) => modelChoice(known, engine)),
  ];
  return (
    <Menu side="top" trigger={chip('cpu', text.model.label, model ?? text.model.none)}>
      <MenuChoices
        heading={text.model.heading}
        value={target.chosenModel ?? auto}
        choices={choices}
        onChoose={(chosen) => void run('session/set-model', { model: chosen === auto ? null : chosen })}
      />
    </Menu>
  );
}

/** What choosing it would cost: nothing when it is loaded, else its size. */
function modelChoice(model: ModelInfo, engine: EngineState | null): Choice<string> {
  const price = loadedModel(engine, model.name) ? text.model.loaded : text.model.loads(model.sizeBytes);
  return {
    value: model.name,
    label: model.name,
    meta: canCallTools(model) === false ? `${text.model.noTools}, ${price}` : price,
  };
}

const policies: ApprovalPolicy[] = ['auto_read', 'ask'];

export function ApprovalsChip() {
  const { run } = useCommands();
  const { profile } = useTarget();
  if (!profile) return null;
  return (
    <Menu side="top" trigger={chip('shield', text.approvals.label, text.approvals.short[profile.approvals])}>
      <MenuChoices
        heading={text.approvals.heading(profile.name)}
        value={profile.approvals}
        note={text.approvals.note}
        choices={policies.map((policy) => ({ value: policy, label: text.approvals.long[policy] }))}
        onChoose={(approvals) => void run('profile/set-approvals', { profileId: profile.id, approvals })}
      />
    </Menu>
  );
}
