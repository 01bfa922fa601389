import { useId, useRef, useState } from 'react';
import type { Level } from '../../../protocol/principal.ts';
import type { ApiTokenInfo } from '../../../protocol/token-methods.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { dates, peoplePane, waysPane } from '../../text.ts';
import { ActionButton, Segments } from './controls.tsx';
import { EmptyNote, FailureLine, SettingGroup } from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { Form } from '../../components/fields.tsx';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = waysPane.tokens;
/** A program never has the rights of the owner's window. */
const levels: Exclude<Level, 'owner'>[] = ['guest', 'user', 'admin'];

/** Programs that speak for the owner, each with a token that is shown once. */
export function ProgramTokens() {
  const { value, failure, again } = useAsked('tokens', (ask) => ask.tokens());
  const works = value?.filter(({ revokedAt }) => revokedAt === null) ?? [];
  return (
    <SettingGroup {...waysPane.rows.programs}>
      {failure && <FailureLine failure={failure} onAgain={again} />}
      {value && works.length === 0 && <EmptyNote text={text.none} />}
      <ul>
        {works.map((token) => (
          <TokenRow key={token.id} token={token} onRevoked={again} />
        ))}
      </ul>
      <NewToken onCreated={again} />
    </SettingGroup>
  );
}

function TokenRow({ token, onRevoked }: { token: ApiTokenInfo; onRevoked: () => void }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { id, name, level, lastUsedAt } = token;
  const revoke = async (): Promise<void> => {
    if (await attempt(() => actions.revokeToken(id))) onRevoked();
  };
  return (
    <li className={libraryStyles.modelHost}>
      <span className="min-0">
        <span className="cut block" dir="auto">
          {name}
        </span>
        <span className="meta cut block">
          {lastUsedAt === null ? text.unused : text.lastUsed(dates.dayOf(lastUsedAt))}
        </span>
      </span>
      <span className="meta">{peoplePane.levels[level]}</span>
      <span className={settingsStyles.actsOf}>
        <ActionButton small busy={busy} description={text.revokeLabel(name)} onClick={() => void revoke()}>
          {text.revoke}
        </ActionButton>
      </span>
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

function NewToken({ onCreated }: { onCreated: () => void }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [level, setLevel] = useState<Level>('guest');
  const [created, setCreated] = useState<string | null>(null);
  const name = useRef<HTMLInputElement>(null);
  const id = useId();
  const create = async (): Promise<void> => {
    const typed = name.current?.value.trim() ?? '';
    if (typed === '') {
      name.current?.focus();
      return;
    }
    const done = await attempt(async () => setCreated(await actions.createToken(typed, level)));
    if (!done) return;
    if (name.current) name.current.value = '';
    onCreated();
  };
  return (
    <>
      <Form className={settingsStyles.keyForm} onSubmit={() => !busy && void create()}>
        <label htmlFor={id}>{text.name}</label>
        <span className="input">
          <input id={id} ref={name} maxLength={100} autoComplete="off" dir="auto" />
        </span>
        <Segments
          label={text.level}
          describedBy={id}
          value={level}
          segments={levels.map((value) => ({ value, label: peoplePane.levels[value] }))}
          onChoose={(chosen) => setLevel(chosen)}
        />
        <ActionButton kind="primary" small busy={busy} onClick={() => void create()}>
          {text.create}
        </ActionButton>
      </Form>
      {failure && <FailureLine failure={failure} />}
      {created !== null && (
        <output className={`${settingsStyles.setNote} block`}>
          {text.shownOnce} <code className="mono">{created}</code>{' '}
          <Button small onClick={() => void navigator.clipboard.writeText(created)}>
            {text.copy}
          </Button>
        </output>
      )}
    </>
  );
}
