import { shell } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Mark, type StateLook } from '../components/state-mark.tsx';
import { useElapsed } from '../components/use-elapsed.ts';
import { useEngine, useHost } from '../stores/stores.ts';
import styles from './starting.module.css';
import transcriptStyles from '../features/transcript/transcript.module.css';

const text = shell.starting;

type Standing = keyof typeof text.standings;
const looks: Readonly<Record<Standing, StateLook>> = {
  there: { icon: 'done', tone: 'done' },
  comes: { icon: 'running', tone: 'run' },
  waits: { icon: 'queued', tone: 'still' },
};

/** A start takes less. */
export const longStartMs = 10_000;

/** In the middle until the host has told what there is: what is waited for, and what is there. Quick starts show nothing. */
export function Starting() {
  const { run } = useCommands();
  const host = useHost((state) => state.connection === 'live');
  const refused = useHost((state) => state.connection === 'refused');
  const since = useHost((state) => state.connectionSince);
  const engine = useEngine((state) => state.connection === 'live' && state.engine !== null);
  const long = useElapsed(host ? null : since, longStartMs) >= longStartMs;
  const steps = [
    [text.steps.host, host ? 'there' : 'comes'],
    [text.steps.sessions, host ? 'comes' : 'waits'],
    [text.steps.engine, engine ? 'there' : 'waits'],
  ] as const;
  if (refused) {
    return (
      <div className={transcriptStyles.scroll}>
        <output className={styles.starting}>
          <h2>{shell.refused.title}</h2>
          <p className="t2">{shell.refused.next}</p>
        </output>
      </div>
    );
  }
  return (
    <div className={transcriptStyles.scroll}>
      <div className={`${styles.starting} late`}>
        <h2>{text.heading}</h2>
        <ul>
          {steps.map(([name, standing]) => (
            <li key={name}>
              <Mark {...looks[standing]} />
              <span className="grow">{name}</span>
              <span className="meta">{text.standings[standing]}</span>
            </li>
          ))}
        </ul>
        <output>
          {long && (
            <div className="acts">
              <span className="meta grow">{text.long}</span>
              <Button small onClick={() => void run('connection/retry')}>
                {shell.tryNow}
              </Button>
            </div>
          )}
        </output>
      </div>
    </div>
  );
}
