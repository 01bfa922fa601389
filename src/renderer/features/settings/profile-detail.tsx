import { useEffect, useRef } from 'react';
import type { Profile, ProfileProblem } from '../../../protocol/model.ts';
import { library, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel, runningTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { ActionButton } from './action-button.tsx';
import type { SettingsActions } from './actions.ts';
import { usePrice } from '../../commands/use-price.ts';
import { switchPrice, type Payer, type Price } from '../../stores/price.ts';
import { priceWords } from '../../components/price-words.ts';
import { ProfileBehaviour } from './profile-behaviour.tsx';
import { ProfileModels, ProfilePrompt, ProfileTools } from './profile-lists.tsx';
import { WindowFit } from './window-fit.tsx';
import { useProfileEditor, type ProfileEditor, type Waiting } from './use-profile-editor.ts';

const text = settings.profiles;

interface ProfileDetailProps {
  profile: Profile;
  problem: ProfileProblem | undefined;
  payer: Payer;
  actions: SettingsActions;
}

export function ProfileDetail({ profile, problem, payer, actions }: ProfileDetailProps) {
  const inUse = payer.target.profile?.id === profile.id;
  const editor = useProfileEditor(profile, inUse ? payer : null, actions);
  const { shown, change } = editor;
  const rows = useRef<HTMLDivElement>(null);
  // The bar leaves with the button that was pressed; the keyboard must not leave with it.
  const waits = editor.waiting !== null;
  useEffect(() => {
    if (!waits && document.activeElement === document.body) rows.current?.focus();
  }, [waits]);
  return (
    <>
      <header className="dh">
        <h2 className="cut">{profile.name}</h2>
        <span className="meta mono wide">{`profiles/${profile.id}`}</span>
        {profile.builtIn && <span className="tag">{text.builtIn}</span>}
      </header>
      {editor.waiting ? (
        <WaitingBar editor={editor} waiting={editor.waiting} />
      ) : (
        <UseBar profile={profile} payer={payer} />
      )}
      <div className="dg" ref={rows} tabIndex={-1}>
        {problem && <ProblemNote problem={problem} inUse />}
        <p className="meta origin">{profile.builtIn ? text.builtInNote : text.ownNote}</p>
        <ProfileBehaviour profile={shown} thinkingValues={thinkingLevels(payer, shown)} onChange={change} />
        <aside aria-label={profile.name}>
          <ProfileModels profile={shown} engine={payer.engine} onChange={change} />
          <ProfileWindow profile={shown} payer={payer} onChange={change} />
          <ProfileTools profile={shown} onChange={change} />
          <ProfilePrompt profile={profile} />
        </aside>
      </div>
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
  const models = payer.engine?.models ?? [];
  const name = effectiveModel({ ...payer.target, profile, chosenModel: null }, models);
  const model = models.find((known) => known.name === name);
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
  const models = engine?.models ?? [];
  const model = models.find(({ name }) => name === effectiveModel({ ...target, profile }, models));
  return model?.thinkingValues?.filter((value) => typeof value === 'string') ?? [];
}

const flagLabels: Partial<Record<string, { label: string }>> = settings.flags;

function labelOf(key: string): string {
  if (key === 'models') return text.models;
  if (key === 'tools') return text.tools;
  return flagLabels[key === 'sampling' ? 'temperature' : key]?.label ?? key;
}

const free: Price = { load: null, reread: null, unread: false };

/** Changes that cost something: what, how much, and the yes. Also where a refused change says why. */
function WaitingBar({ editor, waiting }: { editor: ProfileEditor; waiting: Waiting }) {
  const { busy, apply, discard, shown } = editor;
  const { changes, failure } = waiting;
  const price = usePrice(waiting.price ?? free, shown.contextTokens);
  const names = Object.keys(changes).map(labelOf);
  return (
    <div className="price" role={failure ? 'alert' : 'status'}>
      {failure && <Mark icon="failed" tone="fail" />}
      <p className="grow">
        {failure ? (
          <>
            <span className="medium">{settings.pending.failed}</span> {failure.message}
            {failure.advice !== '' && <span className="t3"> {failure.advice}</span>}
          </>
        ) : (
          <>
            {settings.pending.changed(names.join(', '))}{' '}
            <span className="medium">{waiting.price && priceWords(price)}</span>
            <span className="t3 wide">. {settings.pending.when}.</span>
          </>
        )}
      </p>
      <Button onClick={discard}>{settings.pending.discard}</Button>
      <ActionButton kind="primary" busy={busy} onClick={apply}>
        {failure ? settings.pending.retry : settings.pending.apply}
      </ActionButton>
    </div>
  );
}

/** Says whether the open session uses this profile, and what a switch to it would cost. */
function UseBar({ profile, payer }: { profile: Profile; payer: Payer }) {
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
      <Button kind="primary" onClick={use}>
        {target.session ? settings.switch.button : settings.switch.newButton}
      </Button>
    </div>
  );
}

/** A folder that cannot be read: which, why, and whether something stands in for it. */
export function ProblemNote({ problem, inUse }: { problem: ProfileProblem; inUse: boolean }) {
  return (
    <div className="banner fail problem">
      <Icon name="failed" />
      <h3>{text.problemTitle(problem.id)}</h3>
      <p className="problem-text">{problem.message}</p>
      <p className="t2">{inUse ? text.lastGood : text.notUsed}</p>
      <p className="meta">
        {text.file} <span className="mono">{problem.path}</span>
      </p>
    </div>
  );
}
