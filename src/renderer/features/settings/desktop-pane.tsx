import { useEffect, useState } from 'react';
import { keepAwakeChoices, type DesktopSettings } from '../../../protocol/desktop.ts';
import type { UpdateState } from '../../../protocol/updates.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useUi } from '../../stores/stores.ts';
import { person } from '../../text.ts';
import { ChoiceRow, FailureLine, SettingRow, SwitchRow } from './pane-parts.tsx';
import { Switch } from './controls.tsx';
import { useAttempt } from './use-attempt.ts';
import styles from './settings.module.css';

const text = person.desktop;
const { rows } = text;

/** How the last check ended, and another one. */
function UpdateLine() {
  const { run } = useCommands();
  const state = useUi((ui) => ui.updates?.state);
  if (!state) return null;
  const asking = state.kind === 'checking' || state.kind === 'downloading';
  return (
    <>
      <span className="t2">{updateWords(state)}</span>
      {state.kind !== 'unavailable' && state.kind !== 'ready' && (
        <Button small disabled={asking} onClick={() => void run('update/check')}>
          {text.checkNow}
        </Button>
      )}
    </>
  );
}

function updateWords(state: UpdateState): string {
  if ('message' in state) return state.message;
  if (state.kind === 'ready' || state.kind === 'downloading')
    return text.updateStates[state.kind](state.version);
  return text.updateStates[state.kind];
}

/** What the desktop app does on this computer. A browser has no such section. */
export function DesktopPane() {
  const { desktop } = useCommands().actions;
  const [settings, setSettings] = useState<DesktopSettings | null>(null);
  const { failure, attempt } = useAttempt();
  useEffect(() => {
    void attempt(async () => setSettings((await desktop?.read()) ?? null));
  }, [attempt, desktop]);
  const change = (next: Partial<DesktopSettings>): void =>
    void attempt(async () => setSettings((await desktop?.change(next)) ?? null));
  return (
    <div className={styles.pane}>
      {settings && (
        <>
          <ChoiceRow
            {...rows.keepAwake}
            value={settings.keepAwake}
            segments={keepAwakeChoices.map((value) => ({ value, label: text.keepAwake[value] }))}
            onChoose={(keepAwake) => change({ keepAwake })}
          />
          <SettingRow {...rows.checkUpdates}>
            {(helpId) => (
              <>
                <UpdateLine />
                <Switch
                  label={rows.checkUpdates.label}
                  describedBy={helpId}
                  on={settings.checkUpdates}
                  onChange={(checkUpdates) => change({ checkUpdates })}
                />
              </>
            )}
          </SettingRow>
          <SwitchRow
            {...rows.hardwareAcceleration}
            on={settings.hardwareAcceleration}
            onChange={(hardwareAcceleration) => change({ hardwareAcceleration })}
          />
        </>
      )}
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}
