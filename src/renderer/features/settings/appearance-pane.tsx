import { person, settings } from '../../text.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { useCommands } from '../../commands/commands.ts';
import { motions, textSizes, type Motion, type TextSize } from '../../stores/appearance.ts';
import { useUi } from '../../stores/stores.ts';
import type { Theme } from '../../stores/appearance.ts';
import { Segments, type Segment } from './segments.tsx';
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
      <ChoiceRow
        {...rows.theme}
        value={theme}
        segments={themes.map((value) => ({ value, label: settings.appearance.themes[value] }))}
        onChoose={(next) => void run('view/set-theme', { theme: next })}
      />
      <ChoiceRow<TextSize>
        {...rows.textSize}
        value={textSize}
        segments={textSizes.map((value) => ({ value, label: text.sizes[value] }))}
        onChoose={(next) => void run('view/set-appearance', { textSize: next })}
      />
      <ChoiceRow<Motion>
        {...rows.motion}
        value={motion}
        segments={motions.map((value) => ({ value, label: text.motions[value] }))}
        onChoose={(next) => void run('view/set-appearance', { motion: next })}
      />
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

interface ChoiceRowProps<T extends string> {
  label: string;
  help: string;
  value: T;
  segments: Segment<T>[];
  onChoose: (value: T) => void;
}

function ChoiceRow<T extends string>({ label, help, ...choice }: ChoiceRowProps<T>) {
  return (
    <SettingRow {...{ label, help }}>
      {(helpId) => <Segments label={label} describedBy={helpId} {...choice} />}
    </SettingRow>
  );
}
