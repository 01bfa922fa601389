import { Providers } from '../app/app.tsx';
import type { App } from '../app/create-app.ts';
import { Button } from '../components/button.tsx';
import { Transcript } from '../features/transcript/transcript.tsx';
import { useUi } from '../stores/stores.ts';
import type { Theme } from '../stores/appearance.ts';
import { ComponentSheet, Part } from './component-sheet.tsx';
import { scenes } from './scenes.tsx';
import './gallery.css';

/** The index: every component, every item, and the way to every scene. */
export function Gallery({ app }: { app: App }) {
  return (
    <Providers app={app}>
      <div className="gallery">
        <header>
          <h1>Gallery</h1>
          <ThemeSwitch app={app} />
        </header>
        <Part title="Scenes">
          <ul className="g-scenes">
            {scenes.map(({ id }) => (
              <li key={id}>
                <a href={`?scene=${id}`}>{id}</a>
              </li>
            ))}
          </ul>
        </Part>
        <ComponentSheet />
        <Part title="Items">
          {/* Tall enough for all of it: the transcript draws only what fits. */}
          <div className="g-items">
            <Transcript />
          </div>
        </Part>
      </div>
    </Providers>
  );
}

const themes: Theme[] = ['system', 'dark', 'light'];

function ThemeSwitch({ app }: { app: App }) {
  const current = useUi((ui) => ui.theme);
  return (
    <p className="g-wrap">
      {themes.map((theme) => (
        <Button
          key={theme}
          small
          aria-pressed={theme === current}
          className={theme === current ? 'is-hover' : ''}
          onClick={() => app.services.stores.ui.setState({ theme })}
        >
          {theme}
        </Button>
      ))}
    </p>
  );
}
