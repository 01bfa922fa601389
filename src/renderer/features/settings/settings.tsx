// Before the panes, whose modules say what is different about their rows.
import styles from './settings.module.css';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { settings as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import type { SettingsSection } from '../../stores/layout-slice.ts';
import { AboutPane } from './about-pane.tsx';
import { AppearancePane } from './appearance-pane.tsx';
import { ApprovalsPane } from './approvals-pane.tsx';
import { DesktopPane } from './desktop-pane.tsx';
import { EnginePane } from './engine-pane.tsx';
import { MemoryPane } from './memory-pane.tsx';
import { ModelsPane } from './models-pane.tsx';
import { ProfilesPane } from './profiles-pane.tsx';
import { sectionsOf, type IndexedRow } from './settings-index.ts';
import { SearchField, SearchResults, useSettingsSearch } from './settings-search.tsx';
import { ShortcutsPane } from './shortcuts-pane.tsx';
import { SidePanel, SideTabs } from './side-tabs.tsx';
import { StoragePane } from './storage-pane.tsx';
import { BindingsPane } from './bindings-pane.tsx';
import { CollectionsPane } from './collections-pane.tsx';
import { ConnectionsPane } from './connections-pane.tsx';
import { SchedulePane } from './schedule-pane.tsx';
import { NotificationsPane } from './notifications-pane.tsx';
import { PeoplePane } from './people-pane.tsx';
import { WaysPane } from './ways-pane.tsx';
import { UsagePane } from './usage-pane.tsx';
import { useReveal } from './use-reveal.ts';
import { useLanguage } from '../../components/language.ts';

export type { SettingsSection } from '../../stores/layout-slice.ts';

const icons: Record<SettingsSection, IconName> = {
  profiles: 'user',
  models: 'cpu',
  engine: 'gpu',
  approvals: 'shield',
  appearance: 'sun',
  notifications: 'bell',
  memory: 'memory',
  desktop: 'max',
  storage: 'disk',
  people: 'people',
  bindings: 'route',
  connections: 'plug',
  collections: 'collection',
  ways: 'web',
  usage: 'chart',
  schedule: 'calendar',
  shortcuts: 'key',
  about: 'info',
};

interface SettingsProps {
  /** Shown first. */
  section?: SettingsSection;
}

const prefix = 'settings';

/** Takes the place of the three columns. Escape and Done lead back; the composer then has the keyboard. */
export function Settings({ section = 'profiles' }: SettingsProps) {
  const { run, web } = useCommands();
  const sections = sectionsOf(web);
  const [open, setOpen] = useState(section);
  const [asked, setAsked] = useState(section);
  // From elsewhere, while they are open: the palette leads to a section.
  if (asked !== section) {
    setAsked(section);
    setOpen(section);
  }
  const root = useRef<HTMLElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const listId = useId();
  const search = useSettingsSearch(sections);
  const reveal = useReveal(pane);
  const searching = search.query.trim() !== '';
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('[role=tablist] [aria-selected=true]')?.focus();
  }, []);

  const close = (): void => void run('view/session');
  const openSection = (next: SettingsSection): void => {
    search.search('');
    setOpen(next);
    // Asked for again from elsewhere, it has to be another one than this.
    void run('view/settings-of', { section: next });
  };
  const go = (row: IndexedRow): void => {
    openSection(row.section);
    reveal(row);
  };

  return (
    // Focusable, so that a click beside a control leaves the keyboard here and Escape still closes.
    <main className={styles.settings} ref={root} tabIndex={-1} aria-label={text.label}>
      <div className={styles.nav}>
        <Button kind="quiet" className={styles.close} keys={['Esc']} onClick={close}>
          <Icon name="x" />
          <span>{text.done}</span>
        </Button>
        <SearchField search={search} listId={listId} onGo={go} />
        <SideTabs
          label={text.label}
          className={styles.sections}
          tabClassName={styles.ni}
          prefix={prefix}
          tabs={sections.map((id) => ({
            id,
            title: text.sections[id],
            content: <SectionName section={id} />,
          }))}
          open={open}
          onOpen={openSection}
        />
      </div>
      {searching && (
        <div className={styles.section}>
          <SearchResults search={search} listId={listId} icons={icons} onGo={go} />
        </div>
      )}
      {/* What is being typed in a section stays there while something else is looked for. */}
      <SidePanel className={styles.section} prefix={prefix} id={open} hidden={searching}>
        <div className={styles.whole} ref={pane}>
          <Pane section={open} />
        </div>
      </SidePanel>
    </main>
  );
}

/** Left alone while somebody types into the search. */
const Pane = memo(({ section }: { section: SettingsSection }) => {
  useLanguage();
  switch (section) {
    case 'profiles':
      return <ProfilesPane />;
    case 'models':
      return <ModelsPane />;
    case 'engine':
      return <EnginePane />;
    case 'approvals':
      return <ApprovalsPane />;
    case 'appearance':
      return <AppearancePane />;
    case 'notifications':
      return <NotificationsPane />;
    case 'memory':
      return <MemoryPane />;
    case 'desktop':
      return <DesktopPane />;
    case 'storage':
      return <StoragePane />;
    case 'people':
      return <PeoplePane />;
    case 'bindings':
      return <BindingsPane />;
    case 'connections':
      return <ConnectionsPane />;
    case 'collections':
      return <CollectionsPane />;
    case 'ways':
      return <WaysPane />;
    case 'usage':
      return <UsagePane />;
    case 'schedule':
      return <SchedulePane />;
    case 'shortcuts':
      return <ShortcutsPane />;
    case 'about':
      return <AboutPane />;
  }
});
Pane.displayName = 'SettingsPane';

/** With how many there are, where that is known and says something. */
function SectionName({ section }: { section: SettingsSection }) {
  const profiles = useHost((host) => host.profiles.length + host.problems.length);
  const models = useEngine((state) => state.engine?.models.length ?? 0);
  const shown = section === 'profiles' ? profiles : section === 'models' ? models : 0;
  return (
    <>
      <Icon name={icons[section]} />
      <span>{text.sections[section]}</span>
      {shown > 0 && <span className="meta num">{shown}</span>}
    </>
  );
}
