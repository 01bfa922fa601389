/** How a scene is made: the window at one moment, in a world of its own. */
import { useCallback, type ReactNode } from 'react';
import type { EngineState } from '../../protocol/model.ts';
import type { App } from '../app/create-app.ts';
import { Shell } from '../app/shell.tsx';
import { TitleBar } from '../app/title-bar.tsx';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { Settings, type SettingsSection } from '../features/settings/settings.tsx';
import type { UiState } from '../stores/ui-store.ts';
import { createWorld, type WorldOptions } from './world.ts';
import { Acting, Pressing } from './acting.tsx';
import frame from '../app/frame.module.css';

export interface Scene {
  id: string;
  world: (now: number) => App;
  view: (app: App) => ReactNode;
}

export type Moment = (now: number) => Omit<WorldOptions, 'now'>;

export function scene(id: string, moment: Moment, view: Scene['view']): Scene {
  return { id, world: (now) => createWorld({ now, ...moment(now) }), view };
}

export const window = (id: string, moment: Moment): Scene =>
  scene(`window-${id}`, moment, (app) => <Shell services={app.services} />);

/** A new person's window, which the page of the first start fills. */
export const onboarding = (
  id: string,
  engine: (now: number) => EngineState | null,
  more: NewPerson = {},
): Scene =>
  scene(
    `onboarding-${id}`,
    (now) => {
      const { workspace = null, newSession = {}, host = () => ({}), session, desktop } = more;
      const { hostAnswers, engineAnswers } = more;
      return {
        engine: engine(now),
        session: session?.(now) ?? null,
        host: { sessions: [], defaults: { profileId: 'developer', workspace }, ...host(now) },
        ui: { newSession, firstRun: { shown: 'open', done: [] } },
        ...(hostAnswers && { hostAnswers }),
        ...(engineAnswers && { engineAnswers }),
        ...(desktop && { desktop }),
      };
    },
    (app) => <Shell services={app.services} />,
  );

interface NewPerson {
  /** null = nobody has chosen a folder. */
  workspace?: string | null;
  newSession?: UiState['newSession'];
  host?: (now: number) => WorldOptions['host'];
  hostAnswers?: WorldOptions['hostAnswers'];
  engineAnswers?: WorldOptions['engineAnswers'];
  /** Absent = a browser. */
  desktop?: WorldOptions['desktop'];
  /** Of a task that waits. */
  session?: (now: number) => WorldOptions['session'];
}

interface Acts {
  /** Selects what is pressed first; asked for when it is drawn, because its words have a language. */
  press?: () => string;
  /** Typed into the search. */
  find?: string;
}

export const settings = (id: string, section: SettingsSection, moment: Moment, acts: Acts = {}): Scene =>
  scene(
    `settings-${id}`,
    (now) => {
      const { ui, ...more } = moment(now);
      return { ...more, ui: { view: 'settings', ...ui } };
    },
    () => (
      <div className={frame.window}>
        <TitleBar desktop={null} />
        <div className={frame.over}>
          <Settings section={section} />
          {acts.press && <Pressing selector={acts.press()} />}
          {acts.find !== undefined && <Searching words={acts.find} />}
        </div>
        <EngineBar />
      </div>
    ),
  );

function Searching({ words }: { words: string }) {
  const act = useCallback(
    (field: HTMLElement) => {
      field.focus();
      document.execCommand('insertText', false, words);
    },
    [words],
  );
  return <Acting find={searchField} act={act} />;
}

const searchField = (): HTMLElement | null => document.querySelector('[role=combobox]');
