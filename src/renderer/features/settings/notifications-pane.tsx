import { notifications as text } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { noteKinds } from '../../stores/note-kinds.ts';
import { minutesOf } from '../../stores/quiet-hours.ts';
import { useUi } from '../../stores/stores.ts';
import { SettingGroup, SettingRow, SwitchRow } from './pane-parts.tsx';
import { Switch, TypedField } from './controls.tsx';
import styles from './settings.module.css';

const { rows } = text;

/** When this window may call the person: for what, and not at which hours. */
export function NotificationsPane() {
  const { run } = useCommands();
  const notifies = useUi((ui) => ui.notifies);
  const mayNotify = useUi((ui) => ui.mayNotify);
  const muted = useUi((ui) => ui.mutedNotes);
  return (
    <div className={styles.pane}>
      <SwitchRow
        label={rows.notifications.label}
        help={
          mayNotify === null || mayNotify === 'denied'
            ? text.unavailable[mayNotify ?? 'absent']
            : rows.notifications.help
        }
        on={notifies && mayNotify === 'granted'}
        onChange={(on) => void run('view/set-notifications', { on })}
      />
      <SettingGroup label={text.kinds} help={text.kindsHelp}>
        {noteKinds.map((kind) => (
          <SwitchRow
            key={kind}
            {...rows[kind]}
            on={!muted.includes(kind)}
            onChange={(on) => void run('view/mute-notes', { kind, muted: !on })}
          />
        ))}
        <QuietHoursRow />
      </SettingGroup>
    </div>
  );
}

const checkTime = (typed: string): string | null => (minutesOf(typed) === null ? text.noTime : null);

function QuietHoursRow() {
  const { run } = useCommands();
  const quiet = useUi((ui) => ui.quietHours);
  return (
    <SettingRow {...rows.quietHours}>
      {(helpId) => (
        <>
          {quiet.on &&
            (['from', 'to'] as const).map((end) => (
              <span key={end} className={styles.quietEnd}>
                <span className="meta" aria-hidden="true">
                  {text.ends[end].word}
                </span>
                <TypedField
                  label={text.ends[end].label}
                  value={quiet[end]}
                  describedBy={helpId}
                  look="figure"
                  check={checkTime}
                  onTake={(time) => void run('view/set-quiet-hours', { [end]: time.trim() })}
                />
              </span>
            ))}
          <Switch
            label={rows.quietHours.label}
            describedBy={helpId}
            on={quiet.on}
            onChange={(on) => void run('view/set-quiet-hours', { on })}
          />
        </>
      )}
    </SettingRow>
  );
}
