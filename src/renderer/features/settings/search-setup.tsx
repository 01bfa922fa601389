import { useId, useState } from 'react';
import { maxHostKeyLength } from '../../../protocol/limits.ts';
import type { KeyedService, SearchTrial, WebSettings } from '../../../protocol/web-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { SafeLink } from '../../components/link.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { webPane as text } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine, SettingGroup } from './pane-parts.tsx';
import { KeyForm } from './key-form.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import settingsStyles from './settings.module.css';
import connectionsStyles from './connections.module.css';
import libraryStyles from './library.module.css';
import sourceStyles from '../../components/source-link.module.css';

const keyed: KeyedService[] = ['brave', 'tavily', 'exa', 'ollama'];

/** Who searches the web: the address of a SearXNG, keys of services, and a search that shows that it works. */
export function SearchSetup() {
  const { value, failure, again } = useAsked('web-settings', (ask) => ask.webSettings());
  return (
    <SettingGroup label={text.title} help={text.help}>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      {value && (
        <>
          <p className={`t2 ${settingsStyles.setNote}`}>
            {value.used === null ? text.none : text.used(text.services[value.used])}{' '}
            <span className="meta block">{text.order}</span>
          </p>
          <AddressForm key={value.searxng} searxng={value.searxng} onChanged={again} />
          <ul>
            {keyed.map((service) => (
              <ServiceRow key={service} service={service} settings={value} onChanged={again} />
            ))}
          </ul>
          {value.used !== null && <Trial />}
        </>
      )}
    </SettingGroup>
  );
}

interface AddressProps {
  searxng: string | null;
  onChanged: () => void;
}

function AddressForm({ searxng, onChanged }: AddressProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [written, setWritten] = useState(searxng ?? '');
  const id = useId();
  const set = async (next: string | null): Promise<void> => {
    if (!busy && (await attempt(() => actions.changeWeb({ searxng: next })))) onChanged();
  };
  const save = (): void => {
    if (written.trim() !== '') void set(written);
  };
  return (
    <Form className={connectionsStyles.searchSetupLine} onSubmit={save}>
      <label htmlFor={id}>{text.address}</label>
      <span className="min-0">
        <TextInput
          id={id}
          className="mono"
          value={written}
          spellCheck={false}
          autoComplete="off"
          placeholder="http://localhost:8888"
          aria-describedby={`${id}-help`}
          onType={setWritten}
        />
        <span className="meta block" id={`${id}-help`}>
          {text.addressHelp}
        </span>
      </span>
      <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
        <ActionButton small busy={busy} onClick={save}>
          {text.save}
        </ActionButton>
        {searxng !== null && (
          <ActionButton small busy={busy} description={text.removeAddress} onClick={() => void set(null)}>
            {text.remove}
          </ActionButton>
        )}
      </span>
      {failure && <FailureLine failure={failure} />}
    </Form>
  );
}

interface ServiceProps {
  service: KeyedService;
  settings: WebSettings;
  onChanged: () => void;
}

function ServiceRow({ service, settings, onChanged }: ServiceProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isOpen: writing, opener, close, toggle } = useOpening();
  const name = text.services[service];
  const hasKey = settings.keys.includes(service);
  const set = async (value: string | null): Promise<void> => {
    if (!(await attempt(() => actions.changeWeb({ key: { service, value } })))) return;
    onChanged();
    close();
  };
  return (
    <li className={libraryStyles.modelHost}>
      <span className="min-0">{name}</span>
      <span className="meta">{hasKey ? text.keySaved : text.noKey}</span>
      <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
        <Button
          ref={opener}
          small
          aria-expanded={writing}
          aria-description={text.keyOf(name)}
          onClick={toggle}
        >
          {hasKey ? text.changeKey : text.setKey}
        </Button>
        {hasKey && (
          <ActionButton small busy={busy} description={text.removeKeyOf(name)} onClick={() => void set(null)}>
            {text.remove}
          </ActionButton>
        )}
      </span>
      {writing && (
        <KeyForm
          label={text.keyOf(name)}
          maxLength={maxHostKeyLength}
          busy={busy}
          onKeep={(value) => void set(value)}
          onCancel={close}
        />
      )}
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

function Trial() {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [written, setQuery] = useState<string | null>(null);
  const query = written ?? text.firstQuery;
  const [trial, setTrial] = useState<SearchTrial | null>(null);
  const id = useId();
  const tryIt = async (): Promise<void> => {
    if (busy || query.trim() === '') return;
    setTrial(null);
    await attempt(async () => setTrial(await actions.tryWeb(query.trim())));
  };
  return (
    <Form className={connectionsStyles.searchSetupLine} onSubmit={() => void tryIt()}>
      <label htmlFor={id}>{text.query}</label>
      <TextInput id={id} value={query} maxLength={500} onType={setQuery} />
      <ActionButton small busy={busy} onClick={() => void tryIt()}>
        {text.tryIt}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
      {trial && <Results trial={trial} />}
    </Form>
  );
}

function Results({ trial: { service, results } }: { trial: SearchTrial }) {
  const name = text.services[service];
  if (results.length === 0) return <output>{text.nothing(name)}</output>;
  return (
    <output>
      <span className="meta block">{text.found(name)}</span>
      <ul className={sourceStyles.list}>
        {results.map(({ title, url }) => (
          <li key={url} className="cut">
            <SafeLink href={url}>
              <VisibleText text={title === '' ? url : title} oneLine />
            </SafeLink>
          </li>
        ))}
      </ul>
    </output>
  );
}
