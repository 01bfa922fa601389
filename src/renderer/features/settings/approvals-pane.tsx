import { useState } from 'react';
import type { ApprovalPolicy, Profile } from '../../../protocol/model.ts';
import type { Grant } from '../../../protocol/person-methods.ts';
import { person, settings } from '../../text.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { usePayer } from '../../stores/use-payer.ts';
import { ActionButton } from './action-button.tsx';
import type { SettingsActions } from './actions.ts';
import { FailureLine } from './failure-line.tsx';
import { Segments } from './segments.tsx';
import { SettingGroup } from './setting-row.tsx';
import { useAttempt } from './use-attempt.ts';

const text = person.approvals;
const { rows, meaning } = text;
const policies: ApprovalPolicy[] = ['auto_read', 'ask'];

/** What Andiron asks before, for each profile; what was allowed for longer; and what nobody can allow. */
export function ApprovalsPane({ actions }: { actions: SettingsActions }) {
  const profiles = useHost((host) => host.profiles);
  return (
    <div className="pane">
      <SettingGroup {...rows.policies}>
        <Meaning />
        <ul className="set-list">
          {profiles.map((profile) => (
            <PolicyRow key={profile.id} profile={profile} actions={actions} />
          ))}
        </ul>
      </SettingGroup>
      <SettingGroup {...rows.session}>
        <Grants actions={actions} />
      </SettingGroup>
      <SettingGroup {...rows.never}>
        <ul className="set-list plain">
          {text.never.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </SettingGroup>
    </div>
  );
}

/** The two policies side by side, so that their names need no guess. */
function Meaning() {
  const cells: [kind: keyof typeof meaning.kinds, reads: string, asks: string][] = [
    ['read', meaning.runs, meaning.asks],
    ['write', meaning.asks, meaning.asks],
    ['execute', meaning.asksEach, meaning.asksEach],
  ];
  return (
    <table className="grid meaning">
      <caption className="sr-only">{meaning.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{meaning.kind}</th>
          {policies.map((policy) => (
            <th key={policy} scope="col">
              {settings.approvalChoices[policy]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cells.map(([kind, reads, asks]) => (
          <tr key={kind}>
            <th scope="row">{meaning.kinds[kind]}</th>
            <td>{reads}</td>
            <td>{asks}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PolicyRow({ profile, actions }: { profile: Profile; actions: SettingsActions }) {
  const { failure, attempt } = useAttempt();
  const inUse = usePayer().target.profile?.id === profile.id;
  const helpId = `policy-${profile.id}`;
  return (
    <li>
      <span className="min-0">
        <span className="cut block" dir="auto">
          {profile.name} {inUse && <span className="tag">{text.inUse}</span>}
        </span>
        <span className="meta cut block" id={helpId} dir="auto">
          {profile.description}
        </span>
      </span>
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

function Grants({ actions }: { actions: SettingsActions }) {
  const sessionId = useUi((ui) => ui.openSessionId);
  const session = useHost((host) => host.sessions.find(({ id }) => id === sessionId));
  const { busy, failure, attempt } = useAttempt();
  const [revoked, setRevoked] = useState(0);
  // A grant comes with an answer, and an answer changes what the session is doing.
  const key = session ? `grants:${session.id}:${session.status}:${revoked}` : null;
  const { value, failure: unread } = useAnswer(key, (ask) => ask.grants(session?.id ?? ''));
  if (!session) return <p className="t2 set-note">{text.noSession}</p>;
  if (unread) return <FailureLine failure={unread} />;
  if (!value) return null;
  if (value.length === 0) return <p className="t2 set-note">{text.noneGranted(session.title)}</p>;
  const revoke = async (tool: string): Promise<void> => {
    await attempt(() => actions.revoke(session.id, tool));
    setRevoked((times) => times + 1);
  };
  return (
    <>
      <p className="t2 set-note" dir="auto">
        {text.inSession(session.title)}
      </p>
      <ul className="set-list">
        {value.map((grant) => (
          <GrantRow key={grant.tool} grant={grant} busy={busy} onRevoke={() => void revoke(grant.tool)} />
        ))}
      </ul>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}

function GrantRow({ grant, busy, onRevoke }: { grant: Grant; busy: boolean; onRevoke: () => void }) {
  return (
    <li>
      <span className="min-0">
        <span className="mono">{grant.tool}</span> <span className="meta">{text.risks[grant.risk]}</span>
      </span>
      <ActionButton small busy={busy} description={text.revokeLabel(grant.tool)} onClick={onRevoke}>
        {text.revoke}
      </ActionButton>
    </li>
  );
}
