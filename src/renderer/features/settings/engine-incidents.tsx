import type { Incident } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { tenths } from '../../../text/format.ts';
import { timeOfDay } from '../../components/time-of-day.ts';

const text = settings.engine.incidents;
const shown = 12;

/** What cost time and nobody asked for, newest first, with what to do about it. */
export function EngineIncidents({ incidents }: { incidents: Incident[] }) {
  return (
    <>
      <h2>{text.title}</h2>
      {incidents.length === 0 ? (
        <p className="t2">{text.none}</p>
      ) : (
        <ul className="incidents">
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
      )}
    </>
  );
}
