import { useState } from 'react';
import type { Profile, ProfileProblem } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { Mark } from '../../components/state-mark.tsx';
import { useHost } from '../../stores/stores.ts';
import { usePayer } from '../../stores/use-payer.ts';
import type { SettingsActions } from './actions.ts';
import type { Payer } from '../../stores/price.ts';
import { ProblemNote, ProfileDetail } from './profile-detail.tsx';
import { SidePanel, SideTabs } from './side-tabs.tsx';

const text = settings.profiles;

interface Entry {
  id: string;
  /** Missing where the folder never could be read. */
  profile: Profile | undefined;
  problem: ProfileProblem | undefined;
}

/** All profiles, the broken ones too: what a person wrote is never dropped in silence. */
export function ProfilesPane({ actions }: { actions: SettingsActions }) {
  const profiles = useHost((host) => host.profiles);
  const problems = useHost((host) => host.problems);
  const known = useHost((host) => host.defaults !== null);
  const payer = usePayer();
  const [chosen, setChosen] = useState<string | null>(null);
  if (!known) return <p className="empty-pane t2">{settings.notYet}</p>;

  const entries = entriesOf(profiles, problems);
  if (entries.length === 0) return <p className="empty-pane t2">{text.empty}</p>;
  const wanted = [chosen, payer.target.profile?.id, entries[0]?.id];
  const open = wanted.find((id) => entries.some((entry) => entry.id === id)) ?? '';
  const shown = entries.find(({ id }) => id === open);
  return (
    <div className="profiles">
      <SideTabs
        label={text.list}
        className="plist"
        tabClassName="pi"
        prefix={prefix}
        tabs={entries.map((entry) => ({ id: entry.id, content: <EntryWords entry={entry} /> }))}
        open={open}
        onOpen={setChosen}
      />
      {shown && (
        // A key of its own: changes that wait belong to one profile.
        <SidePanel className="detail" key={shown.id} prefix={prefix} id={shown.id}>
          <EntryDetail entry={shown} payer={payer} actions={actions} />
        </SidePanel>
      )}
    </div>
  );
}

const prefix = 'profile';

interface EntryDetailProps {
  entry: Entry;
  payer: Payer;
  actions: SettingsActions;
}

function EntryDetail({ entry: { profile, problem }, payer, actions }: EntryDetailProps) {
  if (profile) return <ProfileDetail profile={profile} problem={problem} payer={payer} actions={actions} />;
  return (
    problem && (
      <div className="dg">
        <ProblemNote problem={problem} inUse={false} />
      </div>
    )
  );
}

function EntryWords({ entry: { id, profile, problem } }: { entry: Entry }) {
  return (
    <>
      <span className="pi-name">
        <span className="medium cut">{profile?.name ?? id}</span>
        {problem ? (
          <Mark icon="failed" tone="fail" />
        ) : (
          profile?.builtIn && <span className="meta">{text.builtIn}</span>
        )}
      </span>
      <span className={problem ? 'meta cut fail' : 'meta cut'}>
        {problem ? text.problem : profile?.description}
      </span>
    </>
  );
}

function entriesOf(profiles: Profile[], problems: ProfileProblem[]): Entry[] {
  const loaded = profiles.map((profile) => ({
    id: profile.id,
    profile,
    problem: problems.find((problem) => problem.id === profile.id),
  }));
  const broken = problems
    .filter((problem) => profiles.every((profile) => profile.id !== problem.id))
    .map((problem) => ({ id: problem.id, profile: undefined, problem }));
  return [...loaded, ...broken];
}
