import { useId } from 'react';
import { settings } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { useUi } from '../../stores/stores.ts';
import type { Theme } from '../../stores/ui-store.ts';
import { Segments } from './segments.tsx';

const text = settings.appearance;
const themes: Theme[] = ['system', 'dark', 'light'];

export function AppearancePane() {
  const { run } = useCommands();
  const theme = useUi((ui) => ui.theme);
  const helpId = useId();
  return (
    <div className="pane">
      <h2>{text.theme}</h2>
      <div className="choice">
        <Segments
          label={text.theme}
          describedBy={helpId}
          value={theme}
          segments={themes.map((value) => ({ value, label: text.themes[value] }))}
          onChoose={(value) => void run('view/set-theme', { theme: value })}
        />
        <p className="meta" id={helpId}>
          {text.themeHelp}
        </p>
      </div>
    </div>
  );
}
