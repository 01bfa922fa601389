import type { ApprovalPolicy } from '../../../protocol/model.ts';
import { composer as text } from '../../text.ts';
import { Menu, MenuChoices } from '../../components/menu.tsx';
import { priceSentence } from '../../components/price-words.ts';
import { withoutDot } from '../../components/reread-words.ts';
import { useCommands } from '../../commands/commands.ts';
import { useProfilePrices } from '../../commands/use-profile-prices.ts';
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
        note={text.profile.nextReply}
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

const policies: ApprovalPolicy[] = ['auto_read', 'accept_edits', 'ask'];

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
