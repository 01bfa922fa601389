/** How a scene is made: the window at one moment, in a world of its own. */
import type { ReactNode } from 'react';
import type { EngineState } from '../../protocol/model.ts';
import type { App } from '../app/create-app.ts';
import { Shell } from '../app/shell.tsx';
import { TitleBar } from '../app/title-bar.tsx';
import { TourStage } from '../app/tour-stage.tsx';
import { Composer } from '../features/composer/composer.tsx';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { Onboarding } from '../features/onboarding/onboarding.tsx';
import { useFirstRunState } from '../features/onboarding/use-first-run.ts';
import { Sessions } from '../features/sessions/sessions.tsx';
import { Settings, type SettingsSection } from '../features/settings/settings.tsx';
import { useUi } from '../stores/stores.ts';
import { createWorld, type WorldOptions } from './world.ts';

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

export const onboarding = (id: string, engine: (now: number) => EngineState): Scene =>
  scene(
    `onboarding-${id}`,
    (now) => ({ engine: engine(now) }),
    (app) => <Shell services={app.services} />,
  );

/** What the window passes through, or shows only after something was missing. */
export const afterwards = (id: string, engine: (now: number) => EngineState | null): Scene =>
  scene(
    `onboarding-${id}`,
    (now) => ({ engine: engine(now) }),
    () => <FirstRunWindow />,
  );

interface Pane {
  /** The model whose page is shown first. */
  model?: string;
  /** Whose settings are open first. */
  person?: string;
  /** Which job is open first. */
  job?: string;
  /** Which server of tools is open first. */
  server?: string;
  /** Skills are shown before servers. */
  skills?: boolean;
  /** Which collection is open first. */
  collection?: string;
  /** Typed into the search. */
  find?: string;
}

export const settings = (id: string, section: SettingsSection, moment: Moment, pane: Pane = {}): Scene =>
  scene(
    `settings-${id}`,
    (now) => {
      const { ui, ...more } = moment(now);
      return { ...more, ui: { view: 'settings', ...ui } };
    },
    () => (
      <div className="window">
        <TitleBar desktop={null} />
        <div className="over">
          <Settings section={section} {...pane} />
        </div>
        <EngineBar />
      </div>
    ),
  );

/** The first start where the transcript of an empty session would be. */
function FirstRunWindow() {
  const state = useFirstRunState();
  const rail = useUi((ui) => ui.room === 'narrow');
  return (
    <div className="window">
      <TitleBar desktop={null} />
      <div className={rail ? 'cols rail no-right' : 'cols no-right'}>
        <Sessions rail={rail} />
        <main className="mid">
          <Onboarding state={state} platform="linux" stage={TourStage} />
          <Composer />
        </main>
      </div>
      <EngineBar />
    </div>
  );
}
