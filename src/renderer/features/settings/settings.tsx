import { Tabs } from '@base-ui/react/tabs';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { settings as text } from '../../../text/en/settings.ts';
import { Button } from '../../components/button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import type { SettingsActions } from './actions.ts';
import { AppearancePane } from './appearance-pane.tsx';
import { EnginePane } from './engine-pane.tsx';
import { ModelsPane } from './models-pane.tsx';
import { ProfilesPane } from './profiles-pane.tsx';
import { ShortcutsPane } from './shortcuts-pane.tsx';
import './settings.css';

export type SettingsSection = keyof typeof text.sections;

const icons: Record<SettingsSection, IconName> = {
  profiles: 'user',
  models: 'cpu',
  engine: 'gpu',
  appearance: 'sun',
  shortcuts: 'key',
};
const sections: SettingsSection[] = ['profiles', 'models', 'engine', 'appearance', 'shortcuts'];

interface SettingsProps {
  actions: SettingsActions;
  /** Shown first. */
  section?: SettingsSection;
}

/** Takes the place of the three columns. Escape and Done lead back; the composer then has the keyboard. */
export function Settings({ actions, section = 'profiles' }: SettingsProps) {
  const { run } = useCommands();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('.nav [aria-selected=true]')?.focus();
  }, []);

  const close = (): void => {
    void run('view/session');
    void run('composer/focus');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };

  return (
    <main className="settings" ref={root} aria-label={text.label}>
      {/* Focusable, so that a click beside a control leaves the keyboard here and Escape still closes. */}
      <Tabs.Root
        className="settings-tabs"
        orientation="vertical"
        defaultValue={section}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div className="nav">
          <Button kind="quiet" className="close" keys={['Esc']} onClick={close} aria-description={text.label}>
            <Icon name="x" />
            <span>{text.done}</span>
          </Button>
          <Tabs.List aria-label={text.label} activateOnFocus>
            {sections.map((id) => (
              <Tabs.Tab className="ni" key={id} value={id} title={text.sections[id]}>
                <Icon name={icons[id]} />
                <span>{text.sections[id]}</span>
                <SectionCount section={id} />
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        {sections.map((id) => (
          <Tabs.Panel className="section" key={id} value={id} tabIndex={-1}>
            <Pane section={id} actions={actions} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </main>
  );
}

function Pane({ section, actions }: { section: SettingsSection; actions: SettingsActions }) {
  switch (section) {
    case 'profiles':
      return <ProfilesPane actions={actions} />;
    case 'models':
      return <ModelsPane />;
    case 'engine':
      return <EnginePane actions={actions} />;
    case 'appearance':
      return <AppearancePane />;
    case 'shortcuts':
      return <ShortcutsPane />;
  }
}

/** How many there are, where that is known and says something. */
function SectionCount({ section }: { section: SettingsSection }) {
  const profiles = useHost((host) => host.profiles.length + host.problems.length);
  const models = useEngine((state) => state.engine?.models.length ?? 0);
  const shown = section === 'profiles' ? profiles : section === 'models' ? models : 0;
  return shown === 0 ? null : <span className="meta num">{shown}</span>;
}
