/** The palette, the sheet of shortcuts and the settings of both. */
import styles from '../features/settings/shortcuts.module.css';
import { useEffect, type ReactNode } from 'react';
import type { ModelInfo, SessionSummary } from '../../protocol/model.ts';
import type { App } from '../app/create-app.ts';
import { Shell } from '../app/shell.tsx';
import { idleEngine, models, openSession } from './fixtures.ts';
import { scene, settings, type Scene } from './scene.tsx';
import { askingSession, stoppedSession } from './session-fixtures.ts';

/** As soon as there is a field, as a person would. */
function Typed({ words, children }: { words: string; children: ReactNode }) {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      const field = document.querySelector<HTMLInputElement>('[role=dialog] [role=combobox]');
      if (!field) return;
      observer.disconnect();
      field.focus();
      document.execCommand('insertText', false, words);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [words]);
  return children;
}

const palette = (id: string, words: string, fill: (app: App) => void = () => undefined): Scene =>
  scene(
    `palette-${id}`,
    (now) => ({ session: stoppedSession(now), ui: { overlay: 'palette' } }),
    (app) => {
      fill(app);
      return (
        <Typed words={words}>
          <Shell services={app.services} />
        </Typed>
      );
    },
  );

const manySessions = (now: number): SessionSummary[] =>
  Array.from({ length: 200 }, (_, at) => ({
    ...openSession,
    id: `many_${at}`,
    title: at % 7 === 0 ? 'اختبار الإيجار المتقلب' : `Lease of the kiln, part ${at}`,
    workspace: `/home/ada/projects/kiln/with/a/path/that/is/longer/than/any/row/part-${at}`,
    updatedAt: now - at * 3_600_000,
  }));

const manyModels = (): ModelInfo[] =>
  models.flatMap((model) =>
    Array.from({ length: 20 }, (_, at) => ({ ...model, name: `${model.name}-${at}` })),
  );

export const paletteScenes: Scene[] = [
  palette('all', '', ({ services: { stores } }) =>
    stores.keys.setState({ recent: ['view/theme-dark', 'profile:reader', 'view/slow'] }),
  ),
  palette('found', 'se'),
  palette('why', 'take the'),
  palette('nothing', 'no such thing anywhere'),
  palette('many', 'lease', ({ services: { stores, now } }) => {
    stores.host.setState({ sessions: manySessions(now()) });
    stores.engine.setState({ engine: idleEngine(now(), { models: manyModels() }) });
  }),
  scene(
    'shortcuts-sheet',
    (now) => ({ session: askingSession(now), ui: { overlay: 'shortcuts' } }),
    (app) => <Shell services={app.services} />,
  ),
  withKeys(settings('shortcuts-changed', 'shortcuts', () => ({}))),
  pressing('unfolded', { click: `.${styles.fold}` }),
  withKeys(
    pressing('conflict', {
      click: `.${styles.keyColumns} > :first-child > :last-child li:nth-child(7) .${styles.keyName}`,
      keys: 'k',
    }),
  ),
];

/** The shortcuts, as soon as they are there, with a button pressed and then keys with Ctrl. */
function pressing(id: string, { click, keys }: { click: string; keys?: string }): Scene {
  const { world, view } = settings(id, 'shortcuts', () => ({}));
  return {
    id: `settings-shortcuts-${id}`,
    world,
    view: (app) => (
      <Pressed button={`.${styles.shortcuts} ${click}`} keys={keys}>
        {view(app)}
      </Pressed>
    ),
  };
}

interface PressedProps {
  button: string;
  keys: string | undefined;
  children: ReactNode;
}

function Pressed({ button, keys, children }: PressedProps) {
  useEffect(() => {
    const found = document.querySelector<HTMLElement>(button);
    found?.focus();
    found?.click();
    if (keys === undefined) return;
    // What the click asks for is drawn before the keys are heard.
    const drawn = requestAnimationFrame(() =>
      found?.dispatchEvent(
        new KeyboardEvent('keydown', { key: keys, ctrlKey: true, bubbles: true, cancelable: true }),
      ),
    );
    return () => cancelAnimationFrame(drawn);
  }, [button, keys]);
  return children;
}

/** Some that the person chose, and one that has none. */
function withKeys({ id, world, view }: Scene): Scene {
  return {
    id,
    view,
    world(now) {
      const app = world(now);
      app.services.stores.keys.setState({
        rebound: { 'view/left': 'Alt+L', 'view/right': null, 'engine/lend': 'Mod+Alt+G' },
      });
      return app;
    },
  };
}
