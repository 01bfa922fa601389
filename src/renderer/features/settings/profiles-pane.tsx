import { useEffect, useRef, useState } from 'react';
import type { Profile, ProfileFiles, ProfileProblem } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { profiles as words, settings } from '../../text.ts';
import { count } from '../../formats.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import type { SessionPricing } from '../../stores/use-pricing.ts';
import { isUnsaved } from '../../stores/profile-drafts.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useCommands } from '../../commands/commands.ts';
import { CreateProfile } from './profile-create.tsx';
import { ProfileDetail } from './profile-detail.tsx';
import { filesKey } from './profile-file.tsx';
import { freeName, headCost } from './profile-head.ts';
import type { ProfilePage } from './profile-header.tsx';
import { ProblemNote } from './profile-problem.tsx';
import { RemovalBar, useRemoval } from './profile-removal.tsx';
import { SidePanel, SideTabs } from './side-tabs.tsx';
import { useAttempt } from './use-attempt.ts';
import { FailureLine } from './pane-parts.tsx';
import settingsStyles from './settings.module.css';
import profilesStyles from './profiles.module.css';

const text = settings.profiles;

interface Entry {
  id: string;
  /** Missing where the folder never could be read. */
  profile: Profile | undefined;
  problem: ProfileProblem | undefined;
}

/** All profiles, the broken ones too: what a person wrote is never dropped in silence. */
export function ProfilesPane() {
  const { actions } = useCommands();
  const profiles = useHost((host) => host.profiles);
  const problems = useHost((host) => host.problems);
  const known = useHost((host) => host.defaults !== null);
  const defaultId = useHost((host) => host.defaults?.profileId);
  const sessions = useHost((host) => host.sessions);
  const pricing = usePricing();
  const [chosen, setChosen] = useState<string | null>(null);
  const [page, setPage] = useState<ProfilePage>('prompts');
  const [creating, setCreating] = useState(false);
  const removal = useRemoval(setChosen);
  const copying = useAttempt();

  const entries = entriesOf(profiles, problems);
  const wanted = [chosen, pricing.target.profile?.id, entries[0]?.id];
  const open = wanted.find((id) => entries.some((entry) => entry.id === id)) ?? '';
  const shown = entries.find(({ id }) => id === open);
  const { value: tools } = useAnswer(known ? 'tools' : null, (ask) => ask.tools());
  const { value: answered } = useAnswer(shown ? filesKey(open, shown.profile) : null, async (ask) => ({
    id: open,
    files: await ask.profileFiles(open),
  }));
  if (!known) return <p className={`${settingsStyles.emptyPane} t2`}>{settings.notYet}</p>;

  const files = answered?.id === open ? answered.files : null;
  const create = async (name: string, from: string | null): Promise<void> => {
    const { id } = await actions.createProfile(name, from);
    setChosen(id);
    setPage('prompts');
  };
  const duplicate = ({ id, name }: Profile): void => {
    const names = profiles.map((profile) => profile.name);
    void copying.attempt(() =>
      create(
        freeName((nth) => words.copyOf(name, nth), names),
        id,
      ),
    );
  };
  const remove = ({ id, profile }: Entry): void => {
    const instead =
      files?.replaces ?? profiles.find((other) => other.id === defaultId && other.id !== id) ?? null;
    const leaving = {
      id,
      name: profile?.name ?? id,
      instead,
      replaces: (files?.replaces ?? null) !== null,
      sessions: sessions.filter(({ profileId }) => profileId === id).length,
    };
    removal.begin(leaving, profile, pricing.target.profile?.id === id ? pricing : null);
  };
  return (
    <div className={profilesStyles.profiles}>
      <ProfileList
        entries={entries}
        open={open}
        tools={tools}
        commonPersona={answered?.files.commonPersona ?? null}
        onOpen={setChosen}
        onCreate={() => setCreating(true)}
      />
      {shown ? (
        // A key of its own: what is being done belongs to one profile.
        <SidePanel className={profilesStyles.detail} key={shown.id} prefix={prefix} id={shown.id}>
          <RemovalBar removal={removal} session={pricing.target.session?.title ?? null} />
          {copying.failure && (
            <div className={profilesStyles.price}>
              <FailureLine failure={copying.failure} />
            </div>
          )}
          <EntryDetail
            entry={shown}
            files={files}
            tools={tools}
            pricing={pricing}
            page={page}
            onPage={setPage}
            onDuplicate={duplicate}
            onRemove={remove}
          />
        </SidePanel>
      ) : (
        <p className={`${settingsStyles.emptyPane} t2`}>{text.empty}</p>
      )}
      {creating && <CreateProfile profiles={profiles} onCreate={create} onClose={() => setCreating(false)} />}
    </div>
  );
}

const prefix = 'profile';

interface ProfileListProps {
  entries: Entry[];
  open: string;
  tools: ToolFacts[] | null;
  commonPersona: string | null;
  onOpen: (id: string) => void;
  onCreate: () => void;
}

function ProfileList({ entries, open, tools, commonPersona, onOpen, onCreate }: ProfileListProps) {
  const drafts = useUi((ui) => ui.drafts);
  const before = useRef(open);
  // A profile that is shown in place of another takes what had the keyboard with it.
  useEffect(() => {
    if (before.current === open) return;
    before.current = open;
    if (document.activeElement === document.body) document.getElementById(`${prefix}-${open}-tab`)?.focus();
  }, [open]);
  const waits = ({ profile }: Entry): boolean => profile !== undefined && isUnsaved(drafts, profile);
  const costs = entries.map(({ profile }) => profile && headCost(profile, tools, commonPersona));
  return (
    <div className={profilesStyles.plistCol}>
      <div className={profilesStyles.plistHead}>
        <h2 className="strong">{text.list}</h2>
        <Button kind="quiet" icon="plus" label={words.create} onClick={onCreate} />
      </div>
      <SideTabs
        label={text.list}
        className={profilesStyles.plist}
        tabClassName={profilesStyles.pi}
        prefix={prefix}
        tabs={entries.map((entry, index) => ({
          id: entry.id,
          content: <EntryWords entry={entry} waits={waits(entry)} tokens={sum(costs[index] ?? null)} />,
        }))}
        open={open}
        onOpen={onOpen}
      />
      {costs.some((cost) => cost) && <p className={`meta ${profilesStyles.plistNote}`}>{words.figures}</p>}
    </div>
  );
}

const sum = (cost: { tools: number; texts: number } | null): number | null => cost && cost.tools + cost.texts;

function EntryWords({ entry, waits, tokens }: { entry: Entry; waits: boolean; tokens: number | null }) {
  const { id, profile, problem } = entry;
  return (
    <>
      <span className={profilesStyles.piName}>
        <span className="medium cut" dir="auto">
          {profile?.name ?? id}
        </span>
        {waits && <span className="meta warn">{words.unsaved}</span>}
        {problem ? (
          <Mark icon="failed" tone="fail" />
        ) : (
          tokens !== null && !waits && <span className="meta num">{count(tokens)}</span>
        )}
      </span>
      <span className={problem ? 'meta cut fail' : 'meta cut'} dir="auto">
        {problem ? text.problem : profile?.description}
      </span>
    </>
  );
}

interface EntryDetailProps {
  entry: Entry;
  files: ProfileFiles | null;
  tools: ToolFacts[] | null;
  pricing: SessionPricing;
  page: ProfilePage;
  onPage: (page: ProfilePage) => void;
  onDuplicate: (profile: Profile) => void;
  onRemove: (entry: Entry) => void;
}

function EntryDetail({ entry, onDuplicate, onRemove, ...shared }: EntryDetailProps) {
  const { profile, problem } = entry;
  if (profile) {
    return (
      <ProfileDetail
        {...shared}
        profile={profile}
        problem={problem}
        onDuplicate={() => onDuplicate(profile)}
        onRemove={() => onRemove(entry)}
      />
    );
  }
  return (
    problem && (
      <div className={profilesStyles.dg}>
        <ProblemNote problem={problem} inUse={false} onRemove={() => onRemove(entry)} />
      </div>
    )
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
