import { documentUrl } from '../../../protocol/app-menu.ts';
import type { Way, WayId } from '../../../protocol/way-methods.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { SafeLink } from '../../components/link.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useHost } from '../../stores/stores.ts';
import { waysPane as text } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine, SettingGroup, SettingRow, SwitchRow, TypedRow, Unanswered } from './pane-parts.tsx';
import { KeyForm } from './key-form.tsx';
import { ProgramTokens } from './program-tokens.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import settingsStyles from './settings.module.css';
import waysStyles from './ways.module.css';

/** How others reach this Andiron: what runs with it, and the programs that hold a token. */
export function WaysPane() {
  const changes = useHost((host) => host.wayChanges ?? 0);
  const asked = useAsked(`ways:${String(changes)}`, (ask) => ask.ways());
  return (
    <div className={`${settingsStyles.pane} ${waysStyles.ways}`}>
      <Unanswered {...{ asked, text }} />
      {asked.value?.map((way) => (
        <WayGroup key={way.id} way={way} />
      ))}
      <ProgramTokens />
    </div>
  );
}

function WayGroup({ way }: { way: Way }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { id, isOn, hasSecret } = way;
  const change = (changes: Parameters<typeof actions.changeWay>[1]): Promise<boolean> =>
    attempt(() => actions.changeWay(id, changes));
  const words = text[id];
  return (
    <SettingGroup
      {...text.rows[id]}
      aside={
        <SafeLink href={documentUrl(id === 'gateway' ? 'gateway.md' : 'bridges.md')}>{words.guide}</SafeLink>
      }
    >
      <WayStateLine way={way} />
      {failure && <FailureLine failure={failure} />}
      <SwitchRow
        label={words.on}
        help={hasSecret || !('secretFirst' in words) ? words.onHelp : words.secretFirst}
        on={isOn}
        onChange={(on) => void change({ settings: { isOn: on } })}
      />
      {isSecretWay(id) && (
        <SecretRow
          way={way}
          words={text[id]}
          busy={busy}
          onSet={(secret) => change({ settings: {}, secret })}
        />
      )}
      {id !== 'telegram' && (
        <TypedRow
          label={text.port}
          help={text.portHelp}
          look="figure"
          value={String(way.port)}
          check={(typed) => (isPort(typed.trim()) ? null : text.wrongPort)}
          onTake={(typed) => void change({ settings: { port: Number(typed) } })}
        />
      )}
      {id === 'webhook' && (
        <TypedRow
          label={text.answerUrl}
          help={text.answerUrlHelp}
          look="words"
          value={way.answerUrl ?? ''}
          check={(typed) => (typed.trim() === '' || isWebUrl(typed.trim()) ? null : text.wrongUrl)}
          onTake={(typed) =>
            void change({ settings: { answerUrl: typed.trim() === '' ? null : typed.trim() } })
          }
        />
      )}
      {id === 'gateway' && isOn && (
        <NetworkRow way={way} onChange={(isOnNetwork) => void change({ settings: { isOnNetwork } })} />
      )}
      {id === 'gateway' && way.state.state === 'listening' && <TryLine at={way.state.at} />}
    </SettingGroup>
  );
}

function WayStateLine({ way: { state } }: { way: Way }) {
  switch (state.state) {
    case 'off':
      return null;
    case 'starting':
      return (
        <output className={`${settingsStyles.setNote} ${settingsStyles.ofState}`}>
          <Mark icon="wait" tone="wait" />
          <span>{text.starting}</span>
        </output>
      );
    case 'listening':
      return (
        <output className={`${settingsStyles.setNote} ${settingsStyles.ofState}`}>
          <Mark icon="done" tone="ok" />
          <span>
            {text.listening} <span className="mono">{state.at}</span>
          </span>
        </output>
      );
    case 'failed':
      return <FailureLine failure={state} />;
  }
}

/** The gateway has none: each program has its own token. */
const isSecretWay = (id: WayId): id is Exclude<WayId, 'gateway'> => id !== 'gateway';

/** Every device of the network may try; it needs a token and the certificate. */
function NetworkRow({
  way: { isOnNetwork, certificatePath, state },
  onChange,
}: {
  way: Way;
  onChange: (on: boolean) => void;
}) {
  return (
    <>
      <SwitchRow label={text.network} help={text.networkHelp} on={isOnNetwork} onChange={onChange} />
      {isOnNetwork && certificatePath !== null && (
        <p className={`${settingsStyles.setNote} t2`}>
          {text.certificate} <span className="mono">{certificatePath}</span>
        </p>
      )}
      {isOnNetwork && state.state === 'listening' && !state.at.includes('https://') && (
        <p className={`${settingsStyles.setNote} t2`}>{text.noAddress}</p>
      )}
    </>
  );
}

/** On this machine, whose address is the first. */
function TryLine({ at }: { at: string }) {
  const own = at.split(', ', 1);
  return (
    <p className={`${settingsStyles.setNote} t2`}>
      {text.tryIt}{' '}
      <code className="mono">{`curl ${own.join('')}/models -H "Authorization: Bearer TOKEN"`}</code>
    </p>
  );
}

interface SecretRowProps {
  way: Way;
  words: (typeof text)['webhook' | 'telegram'];
  busy: boolean;
  /** Resolves true when it was kept. */
  onSet: (secret: string | null) => Promise<boolean>;
}

const maxSecretLength = 500;

function SecretRow({ way: { hasSecret }, words, busy, onSet }: SecretRowProps) {
  const { isOpen: writing, opener, close, toggle } = useOpening();
  const set = async (secret: string | null): Promise<void> => {
    if (await onSet(secret)) close();
  };
  return (
    <>
      <SettingRow label={words.secret} help={hasSecret ? text.secretSet : words.secretHelp}>
        {(helpId) => (
          <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
            <Button ref={opener} small aria-expanded={writing} aria-describedby={helpId} onClick={toggle}>
              {hasSecret ? text.changeSecret(words.secret) : text.setSecret(words.secret)}
            </Button>
            {hasSecret && (
              <ActionButton small busy={busy} describedBy={helpId} onClick={() => void set(null)}>
                {text.removeSecret(words.secret)}
              </ActionButton>
            )}
          </span>
        )}
      </SettingRow>
      {writing && (
        <KeyForm
          label={words.secretField}
          maxLength={maxSecretLength}
          busy={busy}
          onKeep={(secret) => void set(secret)}
          onCancel={close}
        />
      )}
    </>
  );
}

const isPort = (typed: string): boolean =>
  /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 65_535;
const isWebUrl = (typed: string): boolean => /^https?:\/\/[^/\s]/i.test(typed) && URL.canParse(typed);
