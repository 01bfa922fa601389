import { useState, type ReactNode } from 'react';
import type { McpServer } from '../../../protocol/mcp-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useHost, useUi } from '../../stores/stores.ts';
import { connectionsPane as text, settings, skillsPane as skillsText } from '../../text.ts';
import { ActionButton, Segments } from './controls.tsx';
import { ChangedTools } from './changed-tools.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { EmptyNote, FailureLine, Unanswered } from './pane-parts.tsx';
import { SearchSetup } from './search-setup.tsx';
import { SkillsList } from './skills-list.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import connectionsStyles from './connections.module.css';

/** Servers of other people's tools, and skills. */
export function ConnectionsPane() {
  const opensAt = useUi((ui) => ui.connectionsTab);
  const [shown, setShown] = useState(opensAt);
  const head = (
    <>
      <h2 id="connections-tab">{settings.sections.connections}</h2>
      <Segments
        label={skillsText.tabs}
        value={shown}
        segments={(['servers', 'skills'] as const).map((value) => ({ value, label: skillsText[value] }))}
        describedBy="connections-tab"
        onChoose={setShown}
      />
    </>
  );
  return (
    <div className={`${settingsStyles.pane} ${connectionsStyles.connections}`}>
      {shown === 'servers' ? (
        <Servers head={head} />
      ) : (
        <>
          <header className={settingsStyles.usageHead}>{head}</header>
          <SkillsList />
        </>
      )}
    </div>
  );
}

/** What each does now, what it brings and what that costs, and what changed. */
function Servers({ head }: { head: ReactNode }) {
  const changes = useHost((host) => host.mcpChanges ?? 0);
  const asked = useAsked(`connections:${String(changes)}`, (ask) => ask.connections());
  const { value } = asked;
  const { actions } = useCommands();
  const refreshing = useAttempt();
  const [adding, setAdding] = useState(false);
  const servers = value?.servers ?? [];
  return (
    <>
      <header className={settingsStyles.usageHead}>
        {head}
        <span className={`${settingsStyles.actsOf} ${settingsStyles.apart}`}>
          {servers.length > 0 && (
            <ActionButton
              busy={refreshing.busy}
              onClick={() => void refreshing.attempt(() => actions.refreshServers())}
            >
              {text.refresh}
            </ActionButton>
          )}
          <Button onClick={() => setAdding(true)}>{text.add}</Button>
        </span>
      </header>
      <Unanswered {...{ asked, text }} />
      {refreshing.failure && <FailureLine failure={refreshing.failure} />}
      {value?.problem != null && <FailureLine failure={{ message: text.problem, advice: value.problem }} />}
      {servers.map((server) => (
        <ChangedTools key={server.name} server={server} />
      ))}
      {value && <ServerTable servers={servers} />}
      {value && servers.length > 0 && (
        <p className={`meta ${settingsStyles.setNote}`}>{text.bridge(value.headTokens)}</p>
      )}
      <SearchSetup />
      {adding && <ConnectionForm onClose={() => setAdding(false)} />}
    </>
  );
}

function ServerTable({ servers }: { servers: readonly McpServer[] }) {
  if (servers.length === 0) return <EmptyNote text={text.none} help={text.noneHelp} />;
  const { server, state, tools, price } = text.columns;
  return (
    <>
      <div className={`${connectionsStyles.connectionColumns} meta`} aria-hidden="true">
        <span>{server}</span>
        <span>{state}</span>
        <span className={settingsStyles.figureOf}>{tools}</span>
        <span className={settingsStyles.figureOf}>{price}</span>
      </div>
      <ul className={settingsStyles.setList}>
        {servers.map((each) => (
          <ConnectionRow key={each.name} server={each} />
        ))}
      </ul>
    </>
  );
}
