/** Development and tests only: `?scene=…&theme=dark|light`. The product's build does not contain this page. */
import { createRoot } from 'react-dom/client';
import { Providers } from '../app/app.tsx';
import type { App } from '../app/create-app.ts';
import { startPageEffects } from '../app/page-effects.ts';
import { Gallery } from './gallery.tsx';
import { scenes } from './scenes.tsx';
import { everything } from './everything.ts';
import { createWorld } from './world.ts';
import '../styles/index.css';

const query = new URLSearchParams(window.location.search);
const scene = scenes.find(({ id }) => id === query.get('scene'));
const now = Date.now();
const app: App = scene ? scene.world(now) : createWorld({ now, session: everything(now) });

startPageEffects(window, app.services, app.commands);
const theme = query.get('theme');
if (theme === 'dark' || theme === 'light') app.services.stores.ui.setState({ theme });

const root = document.getElementById('root');
if (!root) throw new Error('gallery.html has no #root.');
createRoot(root).render(scene ? <Providers app={app}>{scene.view(app)}</Providers> : <Gallery app={app} />);
