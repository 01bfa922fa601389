import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import type { Profile, ProfileProblem } from '../../../protocol/model.ts';
import { settings } from '../../../text/en/settings.ts';
import { Mark } from '../../components/state-mark.tsx';
import { currentTarget } from '../../stores/derive.ts';
import { useEngine, useHost, useSession, useUi } from '../../stores/stores.ts';
import type { SettingsActions } from './actions.ts';
import type { Payer } from './price.ts';
import { ProblemNote, ProfileDetail } from './profile-detail.tsx';

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
  const first = payer.target.profile?.id ?? entries[0]?.id;
  const open = entries.some(({ id }) => id === chosen) ? chosen : first;
  return (
    <Tabs.Root
      className="profiles"
      orientation="vertical"
      value={open}
      onValueChange={(id: unknown) => setChosen(String(id))}
    >
      <Tabs.List className="plist" aria-label={text.list} activateOnFocus>
        {entries.map((entry) => (
          <Tabs.Tab className="pi" key={entry.id} value={entry.id}>
            <EntryWords entry={entry} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {entries.map(({ id, profile, problem }) => (
        <Tabs.Panel className="detail" key={id} value={id} tabIndex={-1}>
          {profile ? (
            <ProfileDetail profile={profile} problem={problem} payer={payer} actions={actions} />
          ) : (
            problem && (
              <div className="dg">
                <ProblemNote problem={problem} inUse={false} />
              </div>
            )
          )}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
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

/** The open session, or the one about to be made: who would pay for a change. */
function usePayer(): Payer {
  const sessions = useHost((host) => host.sessions);
  const profiles = useHost((host) => host.profiles);
  const defaults = useHost((host) => host.defaults);
  const openSessionId = useUi((ui) => ui.openSessionId);
  const newSession = useUi((ui) => ui.newSession);
  const open = useSession((session) => session.state?.session);
  const last = useSession((session) =>
    session.state?.turns.findLast((turn) => turn.usage.length > 0)?.usage.at(-1),
  );
  const engine = useEngine((state) => state.engine);
  const target = currentTarget({ sessions, profiles, defaults }, { openSessionId, newSession }, open);
  return { target, engine, last: last ?? null };
}
