import { useEffect, useRef, useState } from 'react';
import { settings as text } from '../../text.ts';
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
import { SidePanel, SideTabs } from './side-tabs.tsx';
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
  /** The model whose page is shown first, in the section of the models. */
  model?: string;
}

const prefix = 'settings';

/** Takes the place of the three columns. Escape and Done lead back; the composer then has the keyboard. */
export function Settings({ actions, section = 'profiles', model }: SettingsProps) {
  const { run } = useCommands();
  const [open, setOpen] = useState(section);
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('.nav [aria-selected=true]')?.focus();
  }, []);

  const close = (): void => void run('view/session');

  return (
    // Focusable, so that a click beside a control leaves the keyboard here and Escape still closes.
    <main className="settings" ref={root} tabIndex={-1} aria-label={text.label}>
      <div className="nav">
        <Button kind="quiet" className="close" keys={['Esc']} onClick={close}>
          <Icon name="x" />
          <span>{text.done}</span>
        </Button>
        <SideTabs
          label={text.label}
          className="sections"
          tabClassName="ni"
          prefix={prefix}
          tabs={sections.map((id) => ({
            id,
            title: text.sections[id],
            content: <SectionName section={id} />,
          }))}
          open={open}
          onOpen={setOpen}
        />
      </div>
      <SidePanel className="section" prefix={prefix} id={open}>
        <Pane section={open} actions={actions} model={model ?? null} />
      </SidePanel>
    </main>
  );
}

function Pane({
  section,
  actions,
  model,
}: {
  section: SettingsSection;
  actions: SettingsActions;
  model: string | null;
}) {
  switch (section) {
    case 'profiles':
      return <ProfilesPane actions={actions} />;
    case 'models':
      return <ModelsPane first={model} />;
    case 'engine':
      return <EnginePane actions={actions} />;
    case 'appearance':
      return <AppearancePane />;
    case 'shortcuts':
      return <ShortcutsPane />;
  }
}

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
