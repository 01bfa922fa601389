import { useId } from 'react';
import type { ApprovalPolicy, Profile } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { person, settings } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { useHost } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { FailureLine, ListWords, SettingGroup } from './pane-parts.tsx';
import { Grants } from './grants.tsx';
import { KeptRules } from './allowed-rules.tsx';
import { Segments } from './controls.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import styles from './settings.module.css';

const text = person.approvals;
const { rows } = text;
const policies: ApprovalPolicy[] = ['auto_read', 'accept_edits', 'ask'];

/** What Andiron asks before, for each profile and with its tools; what was allowed for longer; and what nobody can allow. */
export function ApprovalsPane() {
  const profiles = useHost((host) => host.profiles);
  const inUse = usePricing().target.profile?.id;
  const { value: facts, failure, again } = useAsked('tools', (ask) => ask.tools());
  return (
    <div className={styles.pane}>
      <SettingGroup {...rows.policies}>
        {failure && <FailureLine failure={failure} onAgain={again} />}
        {profiles.length === 0 && <p className={`t2 ${styles.setNote}`}>{settings.profiles.empty}</p>}
        <ul className={styles.setList}>
          {profiles.map((profile) => (
            <PolicyRow key={profile.id} profile={profile} facts={facts} inUse={inUse === profile.id} />
          ))}
        </ul>
      </SettingGroup>
      <KeptRules />
      <Grants />
      <SettingGroup {...rows.never}>
        <ul className={`${styles.setList} ${styles.plain}`}>
          {text.never.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </SettingGroup>
    </div>
  );
}

interface PolicyRowProps {
  profile: Profile;
  /** null = not answered yet. */
  facts: readonly ToolFacts[] | null;
  /** By the open session. */
  inUse: boolean;
}

function PolicyRow({ profile, facts, inUse }: PolicyRowProps) {
  const { actions } = useCommands();
  const { failure, attempt } = useAttempt();
  const helpId = useId();
  return (
    <li>
      <ListWords
        name={profile.name}
        mark={inUse && <span className="tag">{text.inUse}</span>}
        help={
          <span className={styles.policy}>
            {facts === null ? (
              <span dir="auto">{profile.description}</span>
            ) : (
              <Asked {...{ profile, facts }} />
            )}
          </span>
        }
        helpId={helpId}
      />
      <Segments
        label={text.policyOf(profile.name)}
        describedBy={helpId}
        value={profile.approvals}
        segments={policies.map((value) => ({ value, label: settings.approvalChoices[value] }))}
        onChoose={(approvals) => void attempt(() => actions.updateProfile(profile.id, { approvals }))}
      />
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

/** The tools of a profile by what happens when a model calls them. */
function Asked({ profile, facts }: Pick<PolicyRowProps, 'profile'> & { facts: readonly ToolFacts[] }) {
  const byWay = Map.groupBy(profile.tools, (name) =>
    wayOf(
      profile,
      facts.find((fact) => fact.name === name),
    ),
  );
  if (byWay.size === 0) return text.noTools;
  return ways.map((way) => {
    const names = byWay.get(way) ?? [];
    if (names.length === 0) return null;
    return (
      <span key={way} title={names.join(', ')}>
        {text.ways[way]}{' '}
        {names.length > maxNamed ? (
          text.tools(names.length)
        ) : (
          <span className="mono">{names.join(', ')}</span>
        )}
      </span>
    );
  });
}

const ways = ['atOnce', 'asks', 'asksEach'] as const;
const maxNamed = 4;

/** As the host decides it; a tool that is not known here is asked about there. */
function wayOf({ approvals }: Profile, fact: ToolFacts | undefined): (typeof ways)[number] {
  if (fact?.risk === 'execute') return 'asksEach';
  if (approvals === 'ask' || !fact) return 'asks';
  const isEdit = fact.risk === 'write' && fact.about === 'workspace';
  return fact.risk === 'read' || (isEdit && approvals === 'accept_edits') ? 'atOnce' : 'asks';
}
