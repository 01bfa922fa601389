import type { ApprovalMode } from '../../../protocol/model.ts';
import { composer as text, shell } from '../../text.ts';
import { Menu, MenuChoices } from '../../components/menu.tsx';
import { priceSentence } from '../../components/price-words.ts';
import { withoutDot } from '../../components/reread-words.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { useCommands } from '../../commands/commands.ts';
import { useProfilePrices } from '../../commands/use-prices.ts';
import { offeredApprovals } from '../../stores/approval-modes.ts';
import { useHost } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useTarget } from '../../stores/use-target.ts';
import { chip } from './chip.tsx';

export function ProfileChip() {
  const { run } = useCommands();
  const pricing = usePricing();
  const { profile } = pricing.target;
  const profiles = useHost((host) => host.profiles);
  const priced = useProfilePrices(pricing, profiles);
  // Before the host has told which there are, none is not known to be missing.
  const none = profiles.length === 0 ? text.profile.label : text.profile.none;
  return (
    <Menu side="top" trigger={chip('user', text.profile.label, profile?.name ?? none)}>
      <MenuChoices
        heading={text.profile.label}
        value={profile?.id ?? null}
        note={profiles.length === 0 ? shell.connecting.host : text.profile.nextReply}
        choices={profiles.map(({ id, name, description }) => ({
          value: id,
          label: name,
          help: id === profile?.id ? description : helpWith(description, priceSentence(priced(id))),
        }))}
        onChoose={(profileId) => void run('session/set-profile', { profileId })}
      />
    </Menu>
  );
}

/** A profile need not have a description. */
const helpWith = (description: string, price: string): string =>
  description === '' ? price : `${withoutDot(description)}. ${price}`;

/** Of this session alone: what a profile has is changed in the settings. */
export function ApprovalsChip() {
  const { run, mac } = useCommands();
  const { profile, chosenApprovals } = useTarget();
  const isSandboxed = useHost((host) => host.defaults?.isSandboxed ?? false);
  if (!profile) return null;
  const mode = chosenApprovals ?? profile.approvals;
  const offered = offeredApprovals(isSandboxed);
  const helpOf = (each: ApprovalMode): string => {
    if (!offered.includes(each)) return text.approvals.needsSandbox;
    const help = text.approvals.help[each];
    return each === profile.approvals ? `${help} ${text.approvals.ofProfile(profile.name)}` : help;
  };
  return (
    <Menu side="top" trigger={chip('shield', text.approvals.label, text.approvals.names[mode])}>
      <MenuChoices
        heading={text.approvals.heading}
        value={mode}
        note={text.approvals.note(keyCaps('Alt+P', mac).join('+'))}
        choices={offeredApprovals(true).map((each) => ({
          value: each,
          label: text.approvals.names[each],
          help: helpOf(each),
          disabled: !offered.includes(each),
        }))}
        onChoose={(chosen) =>
          void run('session/set-approvals', { approvals: chosen === profile.approvals ? null : chosen })
        }
      />
    </Menu>
  );
}
