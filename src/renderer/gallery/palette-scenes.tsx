/** The palette, the sheet of shortcuts and the settings of both. */
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
      const field = document.querySelector<HTMLInputElement>('.palette [role=combobox]');
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
];

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
