import { useId } from 'react';
import type { StoredHostRule } from '../../../protocol/person-methods.ts';
import { hostSuggestions, type HostSuggestion } from '../../../rules/host-suggestions.ts';
import { dates, person } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { wordsOfRule } from '../../components/words-of-rule.ts';
import { useHost, useSession } from '../../stores/stores.ts';
import { FailureLine, ListGroup, ListWords, SettingGroup } from './pane-parts.tsx';
import { ActionButton, Switch } from './controls.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useKeptPlace } from './use-kept-place.ts';
import settingsStyles from './settings.module.css';

const text = person.approvals;

/** The commands and hosts that no longer ask, by folder. */
export function KeptRules() {
  const changes = useHost((host) => host.grantChanges ?? 0);
  const sessionId = useSession(({ state }) => state?.session.id);
  const { value, failure, again } = useAsked(`rules:${changes}:${sessionId ?? ''}`, (ask) =>
    ask.rules(sessionId),
  );
  const commands = (value?.rules ?? []).map((rule) => ({
    ...rule,
    name: wordsOfRule(rule),
    limits: rule.person === null ? [] : [text.ofPerson(rule.person)],
  }));
  const hosts = (value?.hosts ?? []).map((rule) => ({
    ...rule,
    name: rule.host,
    limits: [
      ...(rule.sessionId === null ? [] : [text.oneSession]),
      ...(rule.person === null ? [] : [text.ofPerson(rule.person)]),
    ],
  }));
  const emptyWords = (empty: string): string | null => (failure ? null : value ? empty : text.asking);
  return (
    <>
      <SettingGroup {...text.rows.commands}>
        {failure && <FailureLine failure={failure} onAgain={again} />}
        <RuleList label={text.commandsIn} rules={commands} empty={emptyWords(text.noCommands)} />
      </SettingGroup>
      <SettingGroup {...text.rows.hosts}>
        <RuleList label={text.hostsIn} rules={hosts} empty={emptyWords(text.noHosts)} />
        {value?.folder != null && sessionId !== undefined && (
          <Suggestions
            folder={value.folder}
            sessionId={sessionId}
            allowed={value.hosts.filter(
              (rule) => rule.workspace === value.folder && rule.sessionId === null && rule.person === null,
            )}
          />
        )}
      </SettingGroup>
    </>
  );
}

interface SuggestionsProps {
  /** Of the open session. */
  folder: string;
  sessionId: string;
  /** For all of that folder. */
  allowed: readonly StoredHostRule[];
}

/** Hosts that are often needed together, each to be switched on for the folder of the open session. */
function Suggestions({ folder, ...shared }: SuggestionsProps) {
  return (
    <ListGroup title={text.suggestedIn(folder)}>
      {hostSuggestions.map((suggestion) => (
        <SuggestionRow key={suggestion.id} suggestion={suggestion} {...shared} />
      ))}
    </ListGroup>
  );
}

interface SuggestionRowProps extends Omit<SuggestionsProps, 'folder'> {
  suggestion: HostSuggestion;
}

function SuggestionRow({ suggestion: { id, hosts }, sessionId, allowed }: SuggestionRowProps) {
  const { actions } = useCommands();
  const { failure, attempt } = useAttempt();
  const helpId = useId();
  const held = allowed.filter(({ host }) => hosts.some((each) => each === host));
  const turn = (on: boolean): Promise<boolean> =>
    attempt(async () => {
      if (on) await actions.addHosts(sessionId, hosts);
      else for (const rule of held) await actions.removeRule(rule.id);
    });
  return (
    <li>
      <ListWords
        name={text.suggestions[id]}
        help={<span className="mono">{hosts.join(', ')}</span>}
        helpId={helpId}
      />
      <Switch
        label={text.suggestions[id]}
        describedBy={helpId}
        on={held.length === hosts.length}
        onChange={(on) => void turn(on)}
      />
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

/** What is allowed in a folder for longer than one call. */
interface ListedRule {
  id: string;
  /** The command or the host. */
  name: string;
  workspace: string;
  /** For what it holds, if not for all of the folder and for the owner. */
  limits: readonly string[];
  used: number;
  createdAt: number;
  lastUsedAt: number | null;
}

interface RuleListProps {
  rules: readonly ListedRule[];
  /** Of what stands beneath a folder, for those who hear it. */
  label: (folder: string) => string;
  /** In place of none; null = nothing is said. */
  empty: string | null;
}

/** By folder, with how often each was used; each can be taken back. */
function RuleList({ rules, label, empty }: RuleListProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { place, leave } = useKeptPlace();
  const remove = async (rule: ListedRule): Promise<void> => {
    leave(rules.indexOf(rule));
    if (!(await attempt(() => actions.removeRule(rule.id)))) leave(null);
  };
  return (
    <div ref={place} tabIndex={-1}>
      {rules.length === 0 && empty !== null && <p className={`t2 ${settingsStyles.setNote}`}>{empty}</p>}
      {[...Map.groupBy(rules, ({ workspace }) => workspace)].map(([folder, inFolder]) => (
        <ListGroup key={folder} title={folder} label={label(folder)}>
          {inFolder.map((rule) => (
            <li key={rule.id}>
              <span className="min-0">
                <span className="mono">{rule.name}</span>{' '}
                <span className="meta">
                  {rule.limits.map((limit) => `${limit}, `)}
                  {text.used(rule.used, dates.dayOf(rule.lastUsedAt ?? rule.createdAt))}
                </span>
              </span>
              <ActionButton
                small
                busy={busy}
                description={text.removeLabel(rule.name, folder)}
                onClick={() => void remove(rule)}
              >
                {text.revoke}
              </ActionButton>
            </li>
          ))}
        </ListGroup>
      ))}
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}
