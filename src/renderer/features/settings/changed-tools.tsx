import type { McpServer, McpTool } from '../../../protocol/mcp-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Icon } from '../../components/icon.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { connectionsPane as text } from '../../text.ts';
import { ActionButton, AskedButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import connectionsStyles from './connections.module.css';
import settingsStyles from './settings.module.css';

/** What a server says otherwise than when the person allowed it, line by line; nothing where it says the same. */
export function ChangedTools({ server }: { server: McpServer }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { name, isOn } = server;
  const changed = server.tools.filter(({ change }) => change !== null);
  if (!isOn || changed.length === 0) return null;
  return (
    <section className={connectionsStyles.changedTools} aria-label={text.changes(name)}>
      <header>
        <Icon name="alert" />
        <span className="min-0">
          <strong>{text.changedTitle(name, changed.length)}</strong>
          <span className="t2 block">{text.changedHelp(changed.length)}</span>
        </span>
        <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
          <AskedButton
            small
            title={text.removeTitle(name)}
            text={text.removeText}
            confirm={text.removeServer}
            keep={text.keep}
            onConfirm={() => void attempt(() => actions.removeServer(name))}
          >
            {text.removeServer}
          </AskedButton>
          <ActionButton
            small
            kind="primary"
            busy={busy}
            onClick={() => void attempt(() => actions.confirmTools(name, changed))}
          >
            {text.allow}
          </ActionButton>
        </span>
      </header>
      {failure && <FailureLine failure={failure} />}
      <ScrollRegion className={`${connectionsStyles.changedLines} mono`} label={text.changes(name)}>
        {changed.flatMap(linesOf).map(({ key, sign, words }) => (
          <p
            key={key}
            className={sign === '+' ? connectionsStyles.isAdded : connectionsStyles.isRemoved}
            dir="auto"
          >
            <span aria-hidden="true">{sign} </span>
            <VisibleText text={words} />
          </p>
        ))}
      </ScrollRegion>
    </section>
  );
}

interface ChangedLine {
  key: string;
  sign: '+' | '-';
  words: string;
}

/** All of both definitions, as far as they differ: nothing of a change is left out. */
function linesOf({ name, description, params, change, before }: McpTool): ChangedLine[] {
  const now = { description, params };
  const line = (sign: '+' | '-', part: string, words: string): ChangedLine => ({
    key: `${name} ${sign} ${part}`,
    sign,
    words,
  });
  const described = (given: typeof now): string => `${name}: ${given.description}`;
  const taken = (given: typeof now): string => `${name} ${text.arguments}: ${given.params}`;
  if (change === 'removed') return [line('-', 'text', described(now))];
  if (!before) return [line('+', 'text', described(now)), line('+', 'arguments', taken(now))];
  return [
    ...(before.description === description
      ? []
      : [line('-', 'text', described(before)), line('+', 'text', described(now))]),
    ...(before.params === params
      ? []
      : [line('-', 'arguments', taken(before)), line('+', 'arguments', taken(now))]),
  ];
}
