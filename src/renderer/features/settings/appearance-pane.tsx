import { person, settings } from '../../text.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { useCommands } from '../../commands/commands.ts';
import { motions, textSizes, type Motion, type TextSize } from '../../stores/appearance.ts';
import { useUi } from '../../stores/stores.ts';
import type { Theme } from '../../stores/ui-store.ts';
import { Segments } from './segments.tsx';
import { SettingRow } from './setting-row.tsx';
import { Switch } from './switch.tsx';

const text = person.appearance;
const { rows } = text;
const themes: Theme[] = ['system', 'dark', 'light'];

/** How this window looks. Every choice holds at once, and the sample below shows it. */
export function AppearancePane() {
  const { run } = useCommands();
  const theme = useUi((ui) => ui.theme);
  const textSize = useUi((ui) => ui.textSize);
  const motion = useUi((ui) => ui.motion);
  const wrapCode = useUi((ui) => ui.wrapCode);
  return (
    <div className="pane">
      <SettingRow {...rows.theme}>
        {(helpId) => (
          <Segments
            label={rows.theme.label}
            describedBy={helpId}
            value={theme}
            segments={themes.map((value) => ({ value, label: settings.appearance.themes[value] }))}
            onChoose={(next) => void run('view/set-theme', { theme: next })}
          />
        )}
      </SettingRow>
      <SettingRow {...rows.textSize}>
        {(helpId) => (
          <Segments<TextSize>
            label={rows.textSize.label}
            describedBy={helpId}
            value={textSize}
            segments={textSizes.map((value) => ({ value, label: text.sizes[value] }))}
            onChoose={(next) => void run('view/set-appearance', { textSize: next })}
          />
        )}
      </SettingRow>
      <SettingRow {...rows.motion}>
        {(helpId) => (
          <Segments<Motion>
            label={rows.motion.label}
            describedBy={helpId}
            value={motion}
            segments={motions.map((value) => ({ value, label: text.motions[value] }))}
            onChoose={(next) => void run('view/set-appearance', { motion: next })}
          />
        )}
      </SettingRow>
      <SettingRow {...rows.wrapCode}>
        {(helpId) => (
          <Switch
            label={rows.wrapCode.label}
            describedBy={helpId}
            on={wrapCode}
            onChange={(on) => void run('view/set-appearance', { wrapCode: on })}
          />
        )}
      </SettingRow>
      <h2>{text.sample}</h2>
      <div className="sample">
        <p className="prose">{text.sampleText}</p>
        <CodeBlock code={text.sampleCode} language="ts" growing={false} />
      </div>
    </div>
  );
}
