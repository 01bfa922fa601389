import type { EngineHost } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { Mark, type StateLook } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { FailureLine, SettingGroup } from './pane-parts.tsx';
import { NameForm } from './name-form.tsx';
import { useAttempt } from './use-attempt.ts';
import libraryStyles from './library.module.css';
import settingsStyles from './settings.module.css';

const text = settings.engine.hosts;

const looks: Record<EngineHost['standing'], StateLook> = {
  in_use: { icon: 'done', tone: 'ok' },
  answers: { icon: 'done', tone: 'done' },
  silent: { icon: 'idle', tone: 'still' },
  wrong: { icon: 'alert', tone: 'warn' },
  untried: { icon: 'queued', tone: 'still' },
};

/** Where Ollama is looked for, in order; the person's own addresses can be added, moved and removed. */
export function EngineHosts({ hosts }: { hosts: EngineHost[] }) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const own = hosts.filter(({ origin }) => origin === 'list').map(({ url }) => url);
  const set = (next: string[]): Promise<boolean> =>
    attempt(() => registry['engine/set-hosts'].run({ hosts: next }));
  return (
    <SettingGroup label={text.title} help={text.help}>
      <ol>
        {hosts.map((host) => {
          const place = host.origin === 'list' ? own.indexOf(host.url) : -1;
          return (
            <li className={libraryStyles.hostRow} key={`${host.origin}:${host.url}`}>
              <Mark {...looks[host.standing]} />
              <span className="mono cut" title={host.url}>
                {host.url}
              </span>
              <span className="meta">
                {text.standings[host.standing]}
                {host.version !== null && `, ${host.version}`}
              </span>
              <span className="meta">{text.origins[host.origin]}</span>
              <span className={settingsStyles.actsOf}>
                {place > 0 && (
                  <IconButton
                    icon="up"
                    label={text.up(host.url)}
                    onClick={() => void set(swapped(own, place))}
                  />
                )}
                {place >= 0 && (
                  <IconButton
                    icon="x"
                    label={text.remove(host.url)}
                    onClick={() => void set(own.filter((url) => url !== host.url))}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <NameForm
        className={libraryStyles.isRow}
        label={text.add}
        help={text.addHelp}
        verb={text.addVerb}
        busy={busy}
        onTake={(url) => set([...own.filter((known) => known !== url), url])}
      />
      {failure && <FailureLine failure={failure} />}
    </SettingGroup>
  );
}

/** With the one at `place` before the one that stood before it. */
function swapped(urls: string[], place: number): string[] {
  const moved = urls[place];
  if (moved === undefined || place < 1) return urls;
  const others = urls.filter((_, at) => at !== place);
  return others.toSpliced(place - 1, 0, moved);
}
