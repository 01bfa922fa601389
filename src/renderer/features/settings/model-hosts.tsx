import type { KeyPlace, ModelHost } from '../../../protocol/model-host-methods.ts';
import { maxHostKeyLength } from '../../../protocol/limits.ts';
import { settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { ActionButton } from './controls.tsx';
import { EmptyNote, FailureLine, SettingGroup } from './pane-parts.tsx';
import { KeyForm } from './key-form.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = settings.engine.modelHosts;

/** The model servers of `hosts.json`, and the keys that they are given. */
export function ModelHosts() {
  const { value, failure, again } = useAsked('model-hosts', (ask) => ask.modelHosts());
  const hosts = value?.hosts ?? [];
  return (
    <SettingGroup label={text.title} help={text.help}>
      {failure && <FailureLine failure={failure} onAgain={again} />}
      {value?.problem != null && (
        <p className={`${settingsStyles.setNote} ${settingsStyles.ofState}`}>
          <Mark icon="alert" tone="warn" />
          <span>{text.problem(value.problem)}</span>
        </p>
      )}
      {value && hosts.length === 0 && value.problem === null && <EmptyNote text={text.none} />}
      <ul>
        {hosts.map((host) => (
          <HostRow key={host.id} host={host} onChanged={again} />
        ))}
      </ul>
      {value && hosts.some(({ key }) => key !== null) && (
        <p className={`meta ${settingsStyles.setNote}`}>{placeWords(value.place)}</p>
      )}
    </SettingGroup>
  );
}

const placeWords = (place: KeyPlace): string =>
  place.kind === 'keychain' ? text.keychain(text.keychains[place.name]) : text.keyFile(place.path);

interface HostRowProps {
  host: ModelHost;
  onChanged: () => void;
}

function HostRow({ host, onChanged }: HostRowProps) {
  const { id, name, url, key } = host;
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isOpen: writing, opener, close, toggle } = useOpening();
  const set = async (given: string | null): Promise<void> => {
    if (!(await attempt(() => actions.setHostKey(id, given)))) return;
    onChanged();
    close();
  };
  const hasOwn = key === 'kept' || key === 'elsewhere';
  return (
    <li className={libraryStyles.modelHost}>
      <span className="min-0">
        <span className="cut block" dir="auto">
          {name}
        </span>
        <span className="mono meta cut block" title={url}>
          {url}
        </span>
      </span>
      <span className="meta">{text.standings[key ?? 'takesNone']}</span>
      <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
        {key !== null && (
          <Button
            ref={opener}
            small
            aria-expanded={writing}
            aria-description={hasOwn ? text.changeLabel(name) : text.setLabel(name)}
            onClick={toggle}
          >
            {hasOwn ? text.change : text.set}
          </Button>
        )}
        {hasOwn && (
          <ActionButton small busy={busy} description={text.removeLabel(name)} onClick={() => void set(null)}>
            {text.remove}
          </ActionButton>
        )}
      </span>
      {writing && (
        <KeyForm
          label={text.field(name)}
          maxLength={maxHostKeyLength}
          busy={busy}
          onKeep={(given) => void set(given)}
          onCancel={close}
        />
      )}
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}
