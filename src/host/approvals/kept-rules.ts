/**
 * What is allowed for longer than one call: commands in a folder, and hosts in a folder or a session. It holds in the turns
 * of the person in whose turn it was allowed, and in nobody else's.
 */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { CommandRule, HostScope } from '../../protocol/model.ts';
import type { StoredCommandRule, StoredHostRule } from '../../protocol/person-methods.ts';
import { ownerId } from '../../protocol/principal.ts';
import type { RulePlace } from '../store/command-rule-store.ts';
import type { Store } from '../store/store.ts';

export type KeptRules = ReturnType<typeof createKeptRules>;

/** Of whoever speaks in one session. */
export interface CommandRules {
  /** @param workspace its real path */
  of(workspace: string): readonly (CommandRule & { id: string })[];
  add(workspace: string, rule: CommandRule): void;
  /** It has let a command run. */
  used(id: string): void;
}

/** Of one session, and whoever speaks in it. */
export interface HostRules {
  of(workspace: string): readonly StoredHostRule[];
  add(workspace: string, host: string, scope: HostScope): void;
  /** It has let a host be reached. */
  used(id: string): void;
}

export interface KeptRulesDeps {
  store: Store;
  newId: NewId;
  clock: Clock;
  /** What is allowed, or how often it was used, is another. */
  onChange: () => void;
}

export function createKeptRules({ store, newId, clock, onChange }: KeptRulesDeps) {
  // Whoever is gone has allowed nothing.
  const placeOf = (sessionId: string, workspace: string): RulePlace => ({
    userId: store.speakerOf(sessionId) ?? '',
    workspace,
  });
  const addHosts = (place: RulePlace, hosts: readonly string[], sessionId: string | null): void => {
    store.transaction(() => {
      for (const host of hosts) store.addHostRule(newId('rule_'), place, { sessionId, host }, clock.now());
    });
    onChange();
  };
  return {
    commandsOf: (sessionId: string): CommandRules => ({
      of: (workspace) => store.commandRulesOf(placeOf(sessionId, workspace)),
      add(workspace, rule) {
        store.addCommandRule(newId('rule_'), placeOf(sessionId, workspace), rule, clock.now());
        onChange();
      },
      used(id) {
        store.noteCommandRuleUse(id, clock.now());
        onChange();
      },
    }),
    hostsOf: (sessionId: string): HostRules => ({
      of: (workspace) => store.hostRulesOf(placeOf(sessionId, workspace), sessionId),
      add: (workspace, host, scope) =>
        addHosts(placeOf(sessionId, workspace), [host], scope === 'session' ? sessionId : null),
      used(id) {
        store.noteHostRuleUse(id, clock.now());
        onChange();
      },
    }),
    /** For all sessions of the owner in a folder; all of them or none. @param workspace its real path */
    addHosts: (workspace: string, hosts: readonly string[]) =>
      addHosts({ userId: ownerId, workspace }, hosts, null),
    list: (): { rules: StoredCommandRule[]; hosts: StoredHostRule[] } => ({
      rules: store.commandRules(),
      hosts: store.hostRules(),
    }),
    /** The next such call asks again. False = it already does. */
    remove(id: string): boolean {
      const isRemoved = store.removeCommandRule(id) || store.removeHostRule(id);
      if (isRemoved) onChange();
      return isRemoved;
    },
  };
}
