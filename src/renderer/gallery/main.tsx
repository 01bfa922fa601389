/** Development and tests only: `?scene=…&theme=dark|light&language=en|de|long`. The product's build does not contain this page. */
import '../styles/index.css';
import { Fragment, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from '../app/app.tsx';
import type { App } from '../app/create-app.ts';
import { startPageEffects } from '../app/page-effects.ts';
import { pageHighlighter } from '../components/code/highlighter.ts';
import { createWorkerStarter } from '../components/page-worker.ts';
import { dictionaryOf } from '../../text/dictionaries.ts';
import type { Language } from '../../text/languages.ts';
import { speakFrom } from '../text.ts';
import { Gallery } from './gallery.tsx';
import { everything } from './everything.ts';
import { scenes } from './scenes.tsx';
import { createWorld } from './world.ts';

/** `long` is English with every text a third longer: where has German no room? */
type Drawn = Language | 'long';

const place = document.getElementById('root');
if (!place) throw new Error('gallery.html has no #root.');
const root = createRoot(place);
const highlighter = pageHighlighter(window, createWorkerStarter(window));

/** What is drawn now. */
const shown: { scene: string; app: Pick<App, 'services'> | null; view: () => ReactNode; language: Drawn } = {
  scene: '',
  app: null,
  view: () => null,
  language: 'en',
};

/** The scene in place of the one before, of which nothing stays; null = the index. */
function showScene(id: string | null, theme: string | null): void {
  const now = Date.now();
  const scene = scenes.find((each) => each.id === id);
  const world = scene ? scene.world(now) : createWorld({ now, session: everything(now) });
  const app = { ...world, highlighter };
  startPageEffects(window, app.services, app.commands);
  if (theme === 'dark' || theme === 'light') app.services.stores.ui.setState({ theme });
  shown.scene = `${String(id)} ${String(theme)}`;
  shown.app = app;
  shown.view = () => (scene ? <Providers app={app}>{scene.view(app)}</Providers> : <Gallery app={app} />);
  draw();
}

/** As the window does it: in its place, where something is drawn already. */
async function speak(language: Drawn): Promise<void> {
  speakFrom(
    language === 'long' ? (await import('./long-language.ts')).longDictionary : await dictionaryOf(language),
  );
  shown.language = language;
  if (shown.app) draw();
}

function draw(): void {
  const { language, app, scene, view } = shown;
  // The long one is none of the window's: it stands in for one that is not English.
  const spoken = language === 'long' ? 'de' : language;
  document.documentElement.lang = language === 'long' ? 'en' : language;
  app?.services.stores.ui.setState({ spoken });
  root.render(<Fragment key={scene}>{view()}</Fragment>);
}

// Tests look at hundreds of scenes in one page: loading it takes longer than looking. Keys are for a page of one scene.
Object.assign(window, { showScene, speak });
const query = new URLSearchParams(window.location.search);
const asked = query.get('language');
await speak(asked === 'de' || asked === 'long' ? asked : 'en');
showScene(query.get('scene'), query.get('theme'));
