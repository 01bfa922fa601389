/** Development and tests only: `?scene=…&theme=dark|light`. The product's build does not contain this page. */
import { Fragment } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from '../app/app.tsx';
import { startPageEffects } from '../app/page-effects.ts';
import { pageHighlighter } from '../components/code/highlighter.ts';
import { createWorkerStarter } from '../components/page-worker.ts';
import { Gallery } from './gallery.tsx';
import { everything } from './everything.ts';
import { scenes } from './scenes.tsx';
import { createWorld } from './world.ts';
import '../styles/index.css';

const place = document.getElementById('root');
if (!place) throw new Error('gallery.html has no #root.');
const root = createRoot(place);
const highlighter = pageHighlighter(window, createWorkerStarter(window));

/** The scene in place of the one before, of which nothing stays; null = the index. */
function showScene(id: string | null, theme: string | null): void {
  const now = Date.now();
  const scene = scenes.find((each) => each.id === id);
  const world = scene ? scene.world(now) : createWorld({ now, session: everything(now) });
  const app = { ...world, highlighter };
  startPageEffects(window, app.services, app.commands);
  if (theme === 'dark' || theme === 'light') app.services.stores.ui.setState({ theme });
  const view = scene ? <Providers app={app}>{scene.view(app)}</Providers> : <Gallery app={app} />;
  root.render(<Fragment key={`${String(id)} ${String(theme)}`}>{view}</Fragment>);
}

// Tests look at hundreds of scenes in one page: loading it takes longer than looking. Keys are for a page of one scene.
Object.assign(window, { showScene });
const query = new URLSearchParams(window.location.search);
showScene(query.get('scene'), query.get('theme'));
