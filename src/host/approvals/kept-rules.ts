/** What the person allows for longer than one call: commands in a folder, and hosts in a folder or a session. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { CommandRule, HostScope } from '../../protocol/model.ts';
import type { StoredCommandRule, StoredHostRule } from '../../protocol/person-methods.ts';
import type { Store } from '../store/store.ts';

export type KeptRules = ReturnType<typeof createKeptRules>;

export interface CommandRules {
  /** @param workspace its real path */
  of(workspace: string): readonly (CommandRule & { id: string })[];
  add(workspace: string, rule: CommandRule): void;
  /** It has let a command run. */
  used(id: string): void;
}

/** Of one session. */
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
  const commands: CommandRules = {
    of: (workspace) => store.commandRulesOf(workspace),
    add(workspace, rule) {
      store.addCommandRule(newId('rule_'), workspace, rule, clock.now());
      onChange();
    },
    used(id) {
      store.noteCommandRuleUse(id, clock.now());
      onChange();
    },
  };
  const addHosts = (workspace: string, hosts: readonly string[], sessionId: string | null): void => {
    store.transaction(() => {
      for (const host of hosts)
        store.addHostRule(newId('rule_'), { workspace, sessionId, host }, clock.now());
    });
    onChange();
  };
  return {
    commands,
    hostsOf: (sessionId: string): HostRules => ({
      of: (workspace) => store.hostRulesOf(workspace, sessionId),
      add: (workspace, host, scope) => addHosts(workspace, [host], scope === 'session' ? sessionId : null),
      used(id) {
        store.noteHostRuleUse(id, clock.now());
        onChange();
      },
    }),
    /** For all sessions of a folder; all of them or none. @param workspace its real path */
    addHosts: (workspace: string, hosts: readonly string[]) => addHosts(workspace, hosts, null),
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
