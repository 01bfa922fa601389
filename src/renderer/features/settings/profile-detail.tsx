/** One profile: what it is called, whether it is in use, and its three pages. */
import { useEffect, useRef } from 'react';
import type { Profile, ProfileFiles, ProfileProblem, PromptName } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { library, profiles as words, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePrice } from '../../commands/use-price.ts';
import { useCommands } from '../../commands/commands.ts';
import { priceWords } from '../../components/price-words.ts';
import { effectiveModel, runningTurn } from '../../stores/derive.ts';
import { readingRate, switchPrice, type Payer } from '../../stores/price.ts';
import { useSession } from '../../stores/stores.ts';
import type { ProfileActions } from './profile-actions.ts';
import { ProfileBehaviour } from './profile-behaviour.tsx';
import { ProfileFile } from './profile-file.tsx';
import { headCost } from './profile-head.ts';
import { ProfileHeader, type ProfilePage } from './profile-header.tsx';
import { ProfileModels } from './profile-models.tsx';
import { ProfilePrompts } from './profile-prompts.tsx';
import { ProblemNote } from './profile-problem.tsx';
import { ProfileTools } from './profile-tools.tsx';
import { WaitingBar } from './profile-waiting.tsx';
import { SidePanel } from './side-tabs.tsx';
import { useProfileEditor, type ProfileEditor } from './use-profile-editor.ts';
import { WindowFit } from './window-fit.tsx';

const text = settings.profiles;

interface ProfileDetailProps {
  profile: Profile;
  problem: ProfileProblem | undefined;
  /** As they stand on the disk; null = not answered yet. */
  files: ProfileFiles | null;
  tools: ToolFacts[] | null;
  payer: Payer;
  actions: ProfileActions;
  page: ProfilePage;
  onPage: (page: ProfilePage) => void;
  firstPrompt: PromptName;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function ProfileDetail(props: ProfileDetailProps) {
  const { profile, problem, files, tools, payer, actions, page, onPage } = props;
  const inUse = payer.target.profile?.id === profile.id;
  const editor = useProfileEditor(profile, inUse ? payer : null, actions);
  const body = useRef<HTMLDivElement>(null);
  // The bar leaves with the button that was pressed; the keyboard must not leave with it.
  const waits = editor.waiting !== null;
  useEffect(() => {
    if (!waits && document.activeElement === document.body) body.current?.focus();
  }, [waits]);

  const rename = (): void => {
    onPage('overview');
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
        page={page}
        onPage={onPage}
        onRename={rename}
        onDuplicate={props.onDuplicate}
        onRemove={props.onRemove}
      />
      {editor.waiting ? (
        <WaitingBar editor={editor} waiting={editor.waiting} />
      ) : (
        <UseBar profile={profile} payer={payer} leads={page === 'overview'} />
      )}
      <SidePanel className="page" prefix={pagePrefix} id={page}>
        {page === 'overview' && (
          <div className="dg" ref={body} tabIndex={-1}>
            {problem && <ProblemNote problem={problem} inUse />}
            <p className="meta origin">
              {profile.builtIn ? text.builtInNote : files?.replaces ? words.ownInstead : text.ownNote}
              {files?.replaces && (
                <Button kind="quiet" small icon="undo" onClick={props.onRemove}>
                  {words.toBuiltIn}
                </Button>
              )}
            </p>
            <Overview editor={editor} payer={payer} tools={tools} files={files} />
          </div>
        )}
        {page === 'prompts' && (
          <ProfilePrompts
            profile={profile}
            payer={inUse ? payer : null}
            commonPersona={files?.commonPersona ?? null}
            actions={actions}
            quiet={editor.waiting !== null}
            first={props.firstPrompt}
          />
        )}
        {page === 'file' && <ProfileFile profile={profile} problem={problem} />}
      </SidePanel>
    </>
  );
}

const pagePrefix = 'profile-page';

interface OverviewProps {
  editor: ProfileEditor;
  payer: Payer;
  tools: ToolFacts[] | null;
  files: ProfileFiles | null;
}

function Overview({ editor: { shown, change }, payer, tools, files }: OverviewProps) {
  const cost = headCost(shown, tools, files?.commonPersona ?? null);
  const rate = payer.last === null ? null : readingRate(payer.last);
  return (
    <>
      <ProfileBehaviour
        profile={shown}
        tools={tools}
        thinkingValues={thinkingLevels(payer, shown)}
        onChange={change}
      />
      <aside aria-label={shown.name}>
        <ProfileModels profile={shown} engine={payer.engine} onChange={change} />
        <ProfileWindow profile={shown} payer={payer} onChange={change} />
        <ProfileTools profile={shown} facts={tools} cost={cost} rate={rate} onChange={change} />
      </aside>
    </>
  );
}

/** The window of the profile, with what its model would take with it. */
function ProfileWindow({
  profile,
  payer,
  onChange,
}: {
  profile: Profile;
  payer: Payer;
  onChange: ProfileEditor['change'];
}) {
  const name = effectiveModel({ ...payer.target, profile, chosenModel: null }, payer.engine);
  const model = payer.engine?.models.find((known) => known.name === name);
  if (!model) return null;
  return (
    <section aria-label={library.fit.title}>
      <h3>
        {library.fit.title}
        <span className="meta">{model.name}</span>
      </h3>
      <WindowFit
        model={model.name}
        trained={model.trainedContext}
        value={profile.contextTokens}
        onChoose={(contextTokens) => onChange({ contextTokens })}
      />
    </section>
  );
}

/** Named levels of the model that this profile would use now. */
function thinkingLevels({ target, engine }: Payer, profile: Profile): string[] {
  const current = effectiveModel({ ...target, profile }, engine);
  const model = engine?.models.find(({ name }) => name === current);
  return model?.thinkingValues?.filter((value) => typeof value === 'string') ?? [];
}

interface UseBarProps {
  profile: Profile;
  payer: Payer;
  /** The switch is the first thing to do on this page. */
  leads: boolean;
}

/** Says whether the open session uses this profile, and what a switch to it would cost. */
function UseBar({ profile, payer, leads }: UseBarProps) {
  const { run } = useCommands();
  const running = useSession((session) => runningTurn(session.state) !== undefined);
  const { target } = payer;
  const bar = useRef<HTMLDivElement>(null);
  const price = usePrice(switchPrice(payer, profile), profile.contextTokens);
  const title = target.session ? `“${target.session.title}”` : settings.switch.newSession;
  const use = (): void => {
    // The button goes when the switch is made; the keyboard stays with what it did.
    bar.current?.focus();
    void run('session/set-profile', { profileId: profile.id });
  };
  if (target.profile?.id === profile.id) {
    return (
      <div className="price" ref={bar} tabIndex={-1}>
        <Icon name="check" />
        <p className="grow">{settings.switch.inUse(title)}</p>
      </div>
    );
  }
  return (
    <div className="price" ref={bar} tabIndex={-1}>
      <p className="grow">
        {settings.switch.verb} <span className="medium">{title}</span> {settings.switch.to(profile.name)}{' '}
        <span className="medium">{priceWords(price)}</span>
        {running && <span className="t3 wide">. {settings.switch.running}</span>}
      </p>
      <Button kind={leads ? 'primary' : 'plain'} onClick={use}>
        {target.session ? settings.switch.button : settings.switch.newButton}
      </Button>
    </div>
  );
}
