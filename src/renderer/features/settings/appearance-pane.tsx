import { languageNames } from '../../../text/languages.ts';
import { person, settings } from '../../text.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { useCommands } from '../../commands/commands.ts';
import {
  languageChoices,
  motions,
  textSizes,
  type LanguageChoice,
  type Motion,
  type TextSize,
  type Theme,
} from '../../stores/appearance.ts';
import { useUi } from '../../stores/stores.ts';
import { ChoiceRow, SwitchRow } from './pane-parts.tsx';
import styles from './settings.module.css';

const text = person.appearance;
const { rows } = text;
const themes: Theme[] = ['system', 'dark', 'light'];

/** How this window looks. Every choice holds at once, and the sample below shows it. */
export function AppearancePane() {
  const { run } = useCommands();
  const theme = useUi((ui) => ui.theme);
  const language = useUi((ui) => ui.language);
  const textSize = useUi((ui) => ui.textSize);
  const motion = useUi((ui) => ui.motion);
  const wrapCode = useUi((ui) => ui.wrapCode);
  return (
    <div className={styles.pane}>
      <ChoiceRow
        {...rows.theme}
        value={theme}
        segments={themes.map((value) => ({ value, label: settings.appearance.themes[value] }))}
        onChoose={(next) => void run('view/set-theme', { theme: next })}
      />
      <ChoiceRow<LanguageChoice>
        {...rows.language}
        value={language}
        segments={languageChoices.map((value) => ({
          value,
          label: { ...text.languages, ...languageNames }[value],
        }))}
        onChoose={(next) => void run('view/set-appearance', { language: next })}
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
      <SwitchRow
        {...rows.wrapCode}
        on={wrapCode}
        onChange={(on) => void run('view/set-appearance', { wrapCode: on })}
      />
      <h2>{text.sample}</h2>
      <div className={styles.sample}>
        <p className="prose">{text.sampleText}</p>
        <CodeBlock code={text.sampleCode} language="ts" growing={false} />
      </div>
    </div>
  );
}
