import type { Profile } from '../../../protocol/model.ts';
import { profiles as text, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useArrowStep } from '../../components/line-way.ts';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { useUi } from '../../stores/stores.ts';
import { unsavedPrompts } from '../../stores/profile-drafts.ts';
import { changedFlags, groupsOn } from './profile-flags.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

export type ProfilePage = keyof typeof text.pages;
const pages = Object.keys(text.pages) as ProfilePage[];

interface ProfileHeaderProps {
  profile: Profile;
  /** The built-in one whose place it takes. */
  replaces: Profile | null;
  onRename: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function ProfileHeader(props: ProfileHeaderProps) {
  const { profile, replaces, onRename, onDuplicate, onRemove } = props;
  return (
    <header className={profilesStyles.dh}>
      <div className="grow min-0">
        <div className={profilesStyles.dhName}>
          <h2 className="cut" title={profile.name} dir="auto">
            {profile.name}
          </h2>
          <span className={`meta mono ${settingsStyles.wide} cut`}>{`profiles/${profile.id}`}</span>
          {profile.builtIn && <span className="tag">{settings.profiles.builtIn}</span>}
        </div>
        <p className="t2 cut" title={profile.description} dir="auto">
          {profile.description}
        </p>
      </div>
      <Button onClick={onDuplicate}>{text.duplicate}</Button>
      <Menu trigger={<Button kind="quiet" icon="more" label={text.more} />}>
        <MenuItem icon="edit" onClick={onRename}>
          {text.rename}
        </MenuItem>
        <MenuSeparator />
        {replaces ? (
          <MenuItem icon="undo" onClick={onRemove}>
            {text.toBuiltIn}
          </MenuItem>
        ) : (
          <MenuItem icon="trash" danger={!profile.builtIn} disabled={profile.builtIn} onClick={onRemove}>
            {profile.builtIn ? text.cannotRemove : text.remove}
          </MenuItem>
        )}
      </Menu>
    </header>
  );
}

interface PageTabsProps {
  /** As it is shown, with what waits. */
  profile: Profile;
  page: ProfilePage;
  onPage: (page: ProfilePage) => void;
  /** The list of what was changed is shown in place of a page. */
  narrowed: boolean;
  onNarrow: (narrowed: boolean) => void;
}

/** The pages of a profile, with how many flags were changed on each; beside them the way to all of those at once. */
export function PageTabs({ profile, page, onPage, narrowed, onNarrow }: PageTabsProps) {
  const unsaved = useUi(({ drafts }) => unsavedPrompts(drafts, profile).length > 0);
  const changed = changedFlags(profile);
  const arrowStep = useArrowStep();
  return (
    <div className={profilesStyles.pageTabs}>
      <div className={profilesStyles.tabs} role="tablist" aria-label={text.pagesLabel}>
        {pages.map((id) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`profile-page-${id}-tab`}
            aria-selected={id === page}
            aria-controls={id === page ? `profile-page-${id}` : undefined}
            tabIndex={id === page ? 0 : -1}
            onClick={() => onPage(id)}
            onKeyDown={(event) => {
              const next = nextPage(event.key, page, arrowStep(event.key));
              if (next === null) return;
              event.preventDefault();
              onPage(next);
              document.getElementById(`profile-page-${next}-tab`)?.focus();
            }}
          >
            {text.pages[id]}
            <ChangedCount count={changedFlags(profile, groupsOn(id))} />
            {unsaved && id === 'prompts' && (
              <span className={profilesStyles.unsavedMark} title={text.unsaved}>
                <span className="sr-only">{text.unsaved}</span>
              </span>
            )}
          </button>
        ))}
      </div>
      {changed > 0 && (
        <Button
          small
          kind="quiet"
          {...(narrowed ? { 'data-narrows': '' } : { 'aria-label': settings.profiles.changedLabel(changed) })}
          onClick={() => onNarrow(!narrowed)}
        >
          {narrowed ? settings.profiles.showAll : settings.profiles.changed(changed)}
        </Button>
      )}
    </div>
  );
}

function ChangedCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="meta num">
      <span className="sr-only">, </span>
      {count}
      <span className="sr-only"> {settings.profiles.changedWord}</span>
    </span>
  );
}

/** One tab stop: arrow keys, Home and End go through the pages. null = another key. */
function nextPage(key: string, page: ProfilePage, step: number | undefined): ProfilePage | null {
  const next = step === undefined ? { Home: 0, End: pages.length - 1 }[key] : pages.indexOf(page) + step;
  return next === undefined ? null : (pages[(next + pages.length) % pages.length] ?? null);
}
