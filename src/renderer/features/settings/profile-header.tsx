import type { KeyboardEvent } from 'react';
import type { Profile } from '../../../protocol/model.ts';
import { profiles as text, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { useUi } from '../../stores/stores.ts';
import { unsavedPrompts } from '../../stores/profile-drafts.ts';

export type ProfilePage = keyof typeof text.pages;
const pages = Object.keys(text.pages) as ProfilePage[];

interface ProfileHeaderProps {
  profile: Profile;
  /** The built-in one whose place it takes. */
  replaces: Profile | null;
  page: ProfilePage;
  onPage: (page: ProfilePage) => void;
  onRename: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function ProfileHeader(props: ProfileHeaderProps) {
  const { profile, replaces, page, onPage, onRename, onDuplicate, onRemove } = props;
  const unsaved = useUi(({ drafts }) => unsavedPrompts(drafts, profile).length > 0);
  return (
    <header className="dh">
      <h2 className="cut" title={profile.name} dir="auto">
        {profile.name}
      </h2>
      <span className="meta mono wide cut">{`profiles/${profile.id}`}</span>
      {profile.builtIn && <span className="tag">{settings.profiles.builtIn}</span>}
      <span className="grow" />
      <PageTabs page={page} unsaved={unsaved ? 'prompts' : null} onPage={onPage} />
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
  page: ProfilePage;
  /** The page that holds something that is not saved. */
  unsaved: ProfilePage | null;
  onPage: (page: ProfilePage) => void;
}

/** One tab stop; arrow keys go through the pages. */
function PageTabs({ page, unsaved, onPage }: PageTabsProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = (pages.indexOf(page) + by + pages.length) % pages.length;
    const button = event.currentTarget.parentElement?.children[next];
    onPage(pages[next] ?? page);
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div className="seg tabs" role="tablist" aria-label={text.pagesLabel}>
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
          onKeyDown={onKeyDown}
        >
          {text.pages[id]}
          {id === unsaved && (
            <span className="unsaved-mark" title={text.unsaved}>
              <span className="sr-only">{text.unsaved}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
