/** Memory, allowances, storage, and what this Andiron is: what the settings show and change beside profiles. */
import { AndironError } from '../../protocol/errors.ts';
import type { About, personMethods, Remembered, StorageSizes } from '../../protocol/person-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Memories } from '../memory/memories.ts';
import type { Meaning } from '../memory/meaning/meaning.ts';
import { originOf, type Memory } from '../memory/memory.ts';
import { isHostName } from '../../rules/asked-host.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

/** Works on the whole data folder; what needs a quiet host throws `busy`. */
export interface Upkeep {
  measure(): Promise<StorageSizes>;
  /** Returns how many deleted sessions went for good. */
  purge(): Promise<number>;
  /** Returns the bytes that the disk got back. */
  compact(): Promise<number>;
  /** Empty = sound. */
  check(): Promise<string[]>;
}

export interface PersonDeps {
  sessions: Pick<SessionManager, 'get' | 'grants' | 'rules'>;
  memories: Memories;
  meaning: Pick<Meaning, 'status' | 'choose'>;
  upkeep: Upkeep;
  about: About;
}

type Fact = ReturnType<Memory['list']>[number];

export function createPersonHandlers({
  sessions,
  memories,
  meaning,
  upkeep,
  about,
}: PersonDeps): Handlers<typeof personMethods> {
  return {
    'memory/list': (_params, { principal }) => {
      const memory = memories.of(principal.userId);
      return {
        facts: memory.list().map(remembered),
        summary: memory.summary(),
        meaning: meaning.status(principal.userId),
      };
    },
    'memory/update': ({ factId, value }, { principal }) => ({
      fact: remembered(memories.of(principal.userId).update(factId, value)),
    }),
    'memory/forget': ({ factId }, { principal }) => {
      memories.of(principal.userId).forget(factId);
      return {};
    },
    'memory/restore': ({ factId }, { principal }) => ({
      fact: remembered(memories.of(principal.userId).restore(factId)),
    }),
    'memory/clear': (_params, { principal }) => ({ forgotten: memories.of(principal.userId).clear() }),
    'memory/choose-model': ({ model }) => {
      meaning.choose(model);
      return {};
    },
    'memory/set-summary': ({ text }, { principal }) => {
      memories.of(principal.userId).setSummary(text);
      return {};
    },
    'approval/grants': () => ({ grants: sessions.grants() }),
    'approval/revoke': ({ sessionId, ...grant }) => {
      if (!sessions.get(sessionId).revoke(grant))
        throw new AndironError(
          'not_found',
          'This tool already asks in this session.',
          'Nothing more is needed: its next call asks.',
        );
      return {};
    },
    'approval/rules': ({ sessionId }) => ({
      folder: sessionId === undefined ? null : sessions.get(sessionId).workspaceReal,
      ...sessions.rules.list(),
    }),
    'approval/add-hosts': ({ sessionId, hosts }) => {
      const wrong = hosts.find((host) => !isHostName(host));
      if (wrong !== undefined)
        throw new AndironError(
          'invalid_params',
          `${visibleText(wrong)} is no name of a host.`,
          'Write it as in an address, such as registry.npmjs.org.',
        );
      sessions.rules.addHosts(sessions.get(sessionId).workspaceReal, hosts);
      return {};
    },
    'approval/remove-rule': ({ ruleId }) => {
      if (!sessions.rules.remove(ruleId))
        throw new AndironError(
          'not_found',
          'This already asks.',
          'Nothing more is needed: the next one asks.',
        );
      return {};
    },
    'storage/measure': () => upkeep.measure(),
    'storage/purge': async () => ({ removed: await upkeep.purge() }),
    'storage/compact': async () => ({ freedBytes: await upkeep.compact() }),
    'storage/check': async () => ({ problems: await upkeep.check() }),
    'host/about': () => about,
  };
}

const remembered = (fact: Fact): Remembered => ({
  id: fact.id,
  category: fact.category,
  key: fact.key,
  value: fact.value,
  sessionId: fact.sourceSession,
  origin: originOf(fact.confidence),
  createdAt: fact.createdAt,
  updatedAt: fact.updatedAt,
  expiresAt: fact.expiresAt,
});
