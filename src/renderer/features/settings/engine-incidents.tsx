import type { Incident } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { tenths } from '../../formats.ts';
import { timeOfDay } from '../../components/time-of-day.ts';
import { SettingGroup } from './pane-parts.tsx';
import styles from './library.module.css';

const text = settings.engine.incidents;
const shown = 12;

/** What cost time and nobody asked for, newest first, with what to do about it. */
export function EngineIncidents({ incidents }: { incidents: Incident[] }) {
  if (incidents.length === 0) return null;
  return (
    <SettingGroup label={text.title} help={text.help}>
      <ul className={styles.incidents}>
        {incidents.slice(0, shown).map((incident) => (
          <li key={incident.id}>
            <span className="meta num">{timeOfDay(incident.at)}</span>
            <span>
              {incident.message} <span className="t2">{incident.advice}</span>
            </span>
            <span className="meta num">
              {incident.costMs === null ? text.unknown : text.cost(tenths(incident.costMs))}
            </span>
          </li>
        ))}
      </ul>
    </SettingGroup>
  );
}
