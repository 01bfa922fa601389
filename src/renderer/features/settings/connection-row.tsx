import { type ReactNode } from 'react';
import type { McpServer, McpTool } from '../../../protocol/mcp-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import type { IconName } from '../../components/icon.tsx';
import { Mark, type Tone } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { connectionsPane as text } from '../../text.ts';
import { ActionButton, AskedButton, Switch } from './controls.tsx';
import { ConnectionSignIn } from './connection-sign-in.tsx';
import { FailureLine, OpeningRow, SwitchRow } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import connectionsStyles from './connections.module.css';
import settingsStyles from './settings.module.css';

/** What can be called as it is now. */
const isUsable = ({ isOn, change }: McpTool): boolean => isOn && change === null;

export function ConnectionRow({ server }: { server: McpServer }) {
  const { name, tools, isOn } = server;
  const usable = isOn ? tools.filter(isUsable) : [];
  const tokens = usable.reduce((sum, tool) => sum + tool.tokens, 0);
  const look = lookOf(server);
  return (
    <OpeningRow
      className={connectionsStyles.connection}
      label={text.show(name)}
      details={<ConnectionDetails server={server} />}
    >
      <span className="medium cut">{name}</span>
      <span className={connectionsStyles.connectionState}>
        <Mark icon={look.icon} tone={look.tone} />
        <span className={look.tone === 'fail' || look.tone === 'warn' ? look.tone : 't2'}>{look.words}</span>
      </span>
      <span className={`num ${settingsStyles.figureOf}`}>{text.toolsOn(usable.length, tools.length)}</span>
      <span className={`num ${settingsStyles.figureOf}`}>
        {tokens === 0 ? text.noPrice : text.tokens(tokens)}
      </span>
    </OpeningRow>
  );
}

interface Look {
  icon: IconName;
  tone: Tone;
  words: string;
}

function lookOf({ state, tools, connection, signIn, isOn }: McpServer): Look {
  if (isOn && (signIn?.state === 'needed' || signIn?.state === 'waiting'))
    return { icon: 'alert', tone: 'warn', words: text.states.signIn };
  if (state.state !== 'off' && tools.some(({ change }) => change !== null))
    return { icon: 'alert', tone: 'warn', words: text.states.changed };
  switch (state.state) {
    case 'off':
      return { icon: 'idle', tone: 'still', words: text.states.off };
    case 'idle':
      return { icon: 'idle', tone: 'still', words: text.states.idle };
    case 'connecting':
      return { icon: 'running', tone: 'run', words: text.states.connecting };
    case 'failed':
      return {
        icon: 'failed',
        tone: 'fail',
        words: state.isFinal ? text.states.failed : text.states.retrying,
      };
    case 'ready': {
      if (connection.kind === 'address') return { icon: 'done', tone: 'ok', words: text.states.connected };
      const { sandboxed, unsandboxed } = text.states;
      return { icon: 'done', tone: 'ok', words: connection.isUnsandboxed ? unsandboxed : sandboxed };
    }
  }
}

function ConnectionDetails({ server }: { server: McpServer }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { name, isOn, tools, state, connection, description, leftOut, signIn } = server;
  const change = (changes: Parameters<typeof actions.changeServer>[1]): void =>
    void attempt(() => actions.changeServer(name, changes));
  const isUnsandboxed = connection.kind === 'command' && connection.isUnsandboxed;
  const mayBeFree = connection.kind === 'command' && state.state === 'failed' && state.isFinal;
  return (
    <section
      className={`${settingsStyles.opened} ${connectionsStyles.connectionDetails}`}
      aria-label={text.show(name)}
    >
      {failure && <FailureLine failure={failure} />}
      {signIn && <ConnectionSignIn name={name} signIn={signIn} />}
      {state.state === 'failed' && signIn?.state !== 'needed' && signIn?.state !== 'waiting' && (
        <FailureLine failure={state} />
      )}
      {description !== '' && (
        <p className="t2" dir="auto">
          <VisibleText text={description} />
        </p>
      )}
      <ConnectionFacts server={server} />
      <SwitchRow label={text.on} help={text.onHelp} on={isOn} onChange={(on) => change({ isOn: on })} />
      {(isUnsandboxed || mayBeFree) && (
        <SwitchRow
          label={text.unsandboxed}
          help={text.unsandboxedHelp}
          on={isUnsandboxed}
          onChange={(on) => change({ isUnsandboxed: on })}
        />
      )}
      <ul className={connectionsStyles.connectionTools}>
        {tools
          .filter(({ change: waiting }) => waiting === null)
          .map((tool) => (
            <ToolLine key={tool.name} tool={tool} onChange={(on) => change({ tools: { [tool.name]: on } })} />
          ))}
      </ul>
      {tools.length === 0 && <p className="meta">{text.noTools}</p>}
      {leftOut > 0 && <p className="meta">{text.leftOut(leftOut)}</p>}
      <div className={settingsStyles.jobActs}>
        <ActionButton small busy={busy} onClick={() => void attempt(() => actions.refreshServers(name))}>
          {text.refresh}
        </ActionButton>
        <AskedButton
          small
          kind="quiet"
          title={text.removeTitle(name)}
          text={text.removeText}
          confirm={text.removeServer}
          keep={text.keep}
          onConfirm={() => void attempt(() => actions.removeServer(name))}
        >
          {text.removeServer}
        </AskedButton>
      </div>
    </section>
  );
}

function ToolLine({ tool, onChange }: { tool: McpTool; onChange: (on: boolean) => void }) {
  const { name, description, isOn, tokens } = tool;
  const helpId = `tool-${name}-help`;
  return (
    <li>
      <Switch label={name} describedBy={helpId} on={isOn} onChange={onChange} />
      <span className="min-0">
        <span className="mono">{name}</span>
        <span className="meta block" id={helpId} dir="auto">
          <VisibleText text={description} />
        </span>
      </span>
      <span className="meta num">{text.tokens(tokens)}</span>
    </li>
  );
}

/** Values are never here: the host keeps them. */
function ConnectionFacts({ server: { connection, state } }: { server: McpServer }) {
  const protocol = state.state === 'ready' ? `${state.protocol} · ${state.server}` : '';
  if (connection.kind === 'address')
    return (
      <dl className={connectionsStyles.connectionFacts}>
        <Fact label={text.address} value={connection.url} />
        <Fact label={text.headers} value={hidden(connection.headers)} />
        <Fact label={text.protocol} value={protocol} />
      </dl>
    );
  const { command, args, variables, folders, hosts } = connection;
  return (
    <dl className={connectionsStyles.connectionFacts}>
      <Fact label={text.command} value={[command, ...args].join(' ')} />
      <Fact label={text.variables} value={hidden(variables)} />
      <Fact label={text.folders} value={folders.join(', ')} />
      <Fact label={text.hosts} value={hosts.join(', ')} />
      <Fact label={text.protocol} value={protocol} />
    </dl>
  );
}

const hidden = (names: readonly string[]): string =>
  names.length === 0 ? '' : text.secret(names.join(', '));

function Fact({ label, value }: { label: string; value: string }): ReactNode {
  if (value === '') return null;
  return (
    <>
      <dt className="meta">{label}</dt>
      <dd className="mono">
        <VisibleText text={value} oneLine />
      </dd>
    </>
  );
}
