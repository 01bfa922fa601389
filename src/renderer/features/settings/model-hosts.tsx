import { useEffect, useRef, useState } from 'react';
import type { AddedHost, KeyPlace, ModelHost } from '../../../protocol/model-host-methods.ts';
import { maxHostKeyLength } from '../../../protocol/limits.ts';
import { settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel } from '../../stores/derive.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import { useAskedField } from '../../stores/use-asked-field.ts';
import { useTarget } from '../../stores/use-target.ts';
import { AskedButton } from './controls.tsx';
import { ServerForm } from './server-form.tsx';
import { ServerModels } from './server-models.tsx';
import { EmptyNote, FailureLine, SettingGroup } from './pane-parts.tsx';
import { KeyForm } from './key-form.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = settings.engine.modelHosts;

/** The model servers beside the engine's Ollama: which there are, the keys that they are given, and what they have. */
export function ModelHosts() {
  const ids = useHost((state) => [...state.hosts].join());
  const { value, failure, again } = useAsked(`model-hosts:${ids}`, (ask) => ask.modelHosts());
  const { run } = useCommands();
  const engine = useEngine((state) => state.engine);
  const hasModel = effectiveModel(useTarget(), engine) !== null;
  const [adding, setAdding] = useAskedField('server');
  const opener = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<AddedHost | null>(null);
  const take = (server: AddedHost): void => {
    setAdded(server);
    again();
    const [first] = server.models;
    // Whoever has no other model has added it to use it.
    if (!hasModel && first !== undefined) void run('session/set-model', { model: first });
  };
  const hosts = value?.hosts ?? [];
  return (
    <SettingGroup
      label={text.title}
      help={text.help}
      aside={
        <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
          <Button ref={opener} onClick={() => setAdding(true)}>
            {text.form.open}
          </Button>
        </span>
      }
    >
      {adding && (
        <ServerForm
          onAdded={take}
          onClose={() => {
            setAdding(false);
            opener.current?.focus();
          }}
        />
      )}
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
          <HostRow
            key={host.id}
            host={host}
            isNew={host.id === added?.host.id}
            onChanged={again}
            onRemoved={() => {
              setAdded(null);
              again();
              opener.current?.focus();
            }}
          />
        ))}
      </ul>
      <output className={added ? `meta block ${settingsStyles.setNote}` : 'sr-only'}>
        {added ? text.added(added.host.name, added.models.length) : ''}
      </output>
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
  /** It was added just now. */
  isNew: boolean;
  onChanged: () => void;
  onRemoved: () => void;
}

function HostRow({ host, isNew, onChanged, onRemoved }: HostRowProps) {
  const { id, name, url, key } = host;
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isOpen: writing, opener, close, toggle } = useOpening();
  const [showsModels, setShowsModels] = useState(isNew);
  const row = useRef<HTMLLIElement>(null);
  // The list is the last but one of a long pane.
  useEffect(() => {
    if (isNew) row.current?.scrollIntoView({ block: 'center' });
  }, [isNew]);
  const set = async (given: string | null): Promise<void> => {
    if (!(await attempt(() => actions.setHostKey(id, given)))) return;
    onChanged();
    close();
  };
  const remove = async (): Promise<void> => {
    if (await attempt(() => actions.removeHost(id))) onRemoved();
  };
  const hasOwn = key === 'kept' || key === 'elsewhere';
  return (
    <li ref={row} className={libraryStyles.modelHost}>
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
        <Button
          small
          aria-expanded={showsModels}
          aria-description={text.modelsLabel(name)}
          onClick={() => setShowsModels(!showsModels)}
        >
          {text.models}
        </Button>
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
        <AskedButton
          small
          busy={busy}
          description={text.removal.label(name)}
          title={text.removal.title(name)}
          text={text.removal.text}
          confirm={text.removal.confirm}
          keep={text.removal.keep}
          onConfirm={() => void remove()}
        >
          {text.removal.open}
        </AskedButton>
      </span>
      {writing && (
        <KeyForm
          label={text.field(name)}
          maxLength={maxHostKeyLength}
          busy={busy}
          onKeep={(given) => void set(given)}
          onCancel={close}
          {...(hasOwn && { onRemove: () => void set(null) })}
        />
      )}
      {showsModels && <ServerModels key={key} hostId={id} />}
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}
