/** One profile: what it is called, whether it is in use, and its pages. */
import { useEffect, useRef, useState } from 'react';
import type { Profile, ProfileChanges, ProfileFiles, ProfileProblem } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { profiles as words, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePrice } from '../../commands/use-prices.ts';
import { useCommands } from '../../commands/commands.ts';
import { priceWords } from '../../components/price-words.ts';
import { runningTurn } from '../../stores/derive.ts';
import { isFree, switchPrice, type Price } from '../../../rules/price.ts';
import type { SessionPricing } from '../../stores/use-pricing.ts';
import { useSession } from '../../stores/stores.ts';
import { ProfileFile } from './profile-file.tsx';
import { changedFlags, groupsOn } from './profile-flags.ts';
import { FlagGroups } from './flag-groups.tsx';
import { PageTabs, ProfileHeader, type ProfilePage } from './profile-header.tsx';
import { ChangedFlags, FlagPageView } from './profile-pages.tsx';
import { ProfilePrompts } from './profile-prompts.tsx';
import { ProblemNote } from './profile-problem.tsx';
import { SidePanel } from './side-tabs.tsx';
import { useProfileEditor, type ProfileEditor, type Waiting } from './use-profile-editor.ts';
import { Mark } from '../../components/state-mark.tsx';
import { ActionButton } from './controls.tsx';
import { flagLabel, flagValue } from './profile-words.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

const text = settings.profiles;

interface ProfileDetailProps {
  profile: Profile;
  problem: ProfileProblem | undefined;
  /** As they stand on the disk; null = not answered yet. */
  files: ProfileFiles | null;
  tools: ToolFacts[] | null;
  pricing: SessionPricing;
  page: ProfilePage;
  onPage: (page: ProfilePage) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function ProfileDetail(props: ProfileDetailProps) {
  const { profile, problem, files, tools, pricing, page } = props;
  const inUse = pricing.target.profile?.id === profile.id;
  const editor = useProfileEditor(profile, inUse ? pricing : null);
  const [wanted, setWanted] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  // A bar leaves with its button, and of the changed flags one that is reset; the keyboard must not leave with them.
  const waits = editor.waiting !== null;
  const changed = changedFlags(editor.shown);
  // With nothing left to show it shows all again, and stays so when something is changed later.
  if (wanted && changed === 0) setWanted(false);
  const narrowed = wanted && changed > 0;
  const before = useRef(changed);
  useEffect(() => {
    const fewer = changed < before.current;
    before.current = changed;
    if ((fewer || !waits) && document.activeElement === document.body) body.current?.focus();
  }, [waits, changed]);

  const onPage = (next: ProfilePage): void => {
    setWanted(false);
    props.onPage(next);
  };
  const rename = (): void => {
    onPage('prompts');
    // After the page and the menu that led here have settled.
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLInputElement>('[data-row=name] input')?.select(),
    );
  };
  return (
    <>
      <ProfileHeader
        profile={profile}
        replaces={files?.replaces ?? null}
        onRename={rename}
        onDuplicate={props.onDuplicate}
        onRemove={props.onRemove}
      />
      {editor.waiting ? (
        <WaitingBar editor={editor} waiting={editor.waiting} />
      ) : (
        <UseBar profile={profile} pricing={pricing} leads={page !== 'prompts'} />
      )}
      <PageTabs profile={editor.shown} page={page} onPage={onPage} narrowed={narrowed} onNarrow={setWanted} />
      <SidePanel className={profilesStyles.page} prefix={pagePrefix} id={page}>
        {problem && page !== 'file' && <ProblemNote problem={problem} inUse />}
        {narrowed ? (
          <div className={profilesStyles.dg} ref={body} tabIndex={-1}>
            <ChangedFlags editor={editor} pricing={pricing} tools={tools} />
          </div>
        ) : page === 'prompts' ? (
          <div className={profilesStyles.dg} ref={body} tabIndex={-1}>
            <p className={`meta ${profilesStyles.origin}`}>
              {profile.builtIn ? text.builtInNote : files?.replaces ? words.ownInstead : text.ownNote}
              {files?.replaces && (
                <Button kind="quiet" small icon="undo" onClick={props.onRemove}>
                  {words.toBuiltIn}
                </Button>
              )}
            </p>
            <FlagGroups groups={groupsOn(page)} profile={editor.shown} onChange={editor.change} />
            <ProfilePrompts
              profile={profile}
              pricing={inUse ? pricing : null}
              commonPersona={files?.commonPersona ?? null}
              quiet={waits}
            />
          </div>
        ) : page === 'file' ? (
          <ProfileFile profile={profile} problem={problem} />
        ) : (
          <div className={profilesStyles.dg} ref={body} tabIndex={-1}>
            <FlagPageView page={page} editor={editor} pricing={pricing} tools={tools} files={files} />
          </div>
        )}
      </SidePanel>
    </>
  );
}

const pagePrefix = 'profile-page';

interface UseBarProps {
  profile: Profile;
  pricing: SessionPricing;
  /** The switch is the first thing to do on this page. */
  leads: boolean;
}

/** Says whether the open session uses this profile, and what a switch to it would cost. */
function UseBar({ profile, pricing, leads }: UseBarProps) {
  const { run } = useCommands();
  const running = useSession((session) => runningTurn(session.state) !== undefined);
  const { target } = pricing;
  const bar = useRef<HTMLDivElement>(null);
  const price = usePrice(switchPrice(pricing, profile), profile.contextTokens);
  const title = target.session ? settings.switch.named(target.session.title) : settings.switch.newSession;
  const use = (): void => {
    // The button goes when the switch is made; the keyboard stays with what it did.
    bar.current?.focus();
    void run('session/set-profile', { profileId: profile.id });
  };
  if (target.profile?.id === profile.id) {
    return (
      <div className={profilesStyles.price} ref={bar} tabIndex={-1}>
        <Icon name="check" />
        <p className="grow cut">{settings.switch.inUse(title)}</p>
      </div>
    );
  }
  return (
    <div className={profilesStyles.price} ref={bar} tabIndex={-1}>
      <p className={profilesStyles.use}>
        {settings.switch.verb} <span className="medium">{title}</span> {settings.switch.to(profile.name)}{' '}
        <span className="medium">{priceWords(price)}</span>
        {running && <span className={`t3 ${settingsStyles.wide}`}>. {settings.switch.running}</span>}
      </p>
      <Button kind={leads ? 'primary' : 'plain'} onClick={use}>
        {target.session ? settings.switch.button : settings.switch.newButton}
      </Button>
    </div>
  );
}

const free: Price = { load: null, reread: null, unread: false };

/** Changes that are not saved yet: why, what they cost, and the yes. */
function WaitingBar({ editor, waiting }: { editor: ProfileEditor; waiting: Waiting }) {
  const { busy, apply, discard, shown, saved } = editor;
  const { changes, failure, moved } = waiting;
  const price = usePrice(waiting.price ?? free, shown.contextTokens);
  const conflict = moved.length > 0 && !failure;
  return (
    <div className={profilesStyles.price} role={failure || conflict ? 'alert' : 'status'}>
      {failure && <Mark icon="failed" tone="fail" />}
      {conflict && <Mark icon="alert" tone="warn" />}
      <p className="grow">
        {failure ? (
          <>
            <span className="medium">{settings.pending.failed}</span> {failure.message}
            {failure.advice !== '' && <span className="t3"> {failure.advice}</span>}
          </>
        ) : (
          <>
            {conflict && <>{words.fileChanged(movedWords(moved, saved, shown))} </>}
            {waiting.price && !isFree(waiting.price) ? (
              <>
                {settings.pending.changed(labelsOf(changes))}{' '}
                <span className="medium">{priceWords(price)}</span>
                <span className={`t3 ${settingsStyles.wide}`}>. {settings.pending.when}.</span>
              </>
            ) : (
              !conflict && words.notSaved(labelsOf(changes))
            )}
          </>
        )}
      </p>
      <Button onClick={discard}>{conflict ? words.takeFile : settings.pending.discard}</Button>
      <ActionButton kind="primary" busy={busy} onClick={apply}>
        {failure ? settings.pending.retry : conflict ? words.keepMine : settings.pending.apply}
      </ActionButton>
    </div>
  );
}

function labelsOf(changes: ProfileChanges): string {
  return (Object.keys(changes) as (keyof ProfileChanges)[]).map(flagLabel).join(', ');
}

function movedWords(moved: readonly (keyof ProfileChanges)[], saved: Profile, shown: Profile): string {
  return moved
    .map((key) => words.fileSays(flagLabel(key), flagValue(saved, key), flagValue(shown, key)))
    .join('; ');
}
