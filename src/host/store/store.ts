/** Everything Andiron keeps, in one SQLite file with one writer: the host, under the lock of its data folder. */
import { join } from 'node:path';
import type { NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { makePrivateFolder } from '../../platform/private-data.ts';
import { AndironError } from '../../protocol/errors.ts';
import { todoSchema, type SessionSnapshot } from '../../protocol/model.ts';
import { createAbilityStore, type AbilityStore } from './ability-store.ts';
import { createAttachmentStore, type AttachmentStore } from './attachment-store.ts';
import { createBudgetRuleStore, type BudgetRuleStore } from './budget-rule-store.ts';
import { createCollectionStore, type CollectionStore } from './collection-store.ts';
import { createCommandRuleStore, type CommandRuleStore } from './command-rule-store.ts';
import { createHostRuleStore, type HostRuleStore } from './host-rule-store.ts';
import { createContextStore, type ContextStore } from './context.ts';
import { createFileChangeStore, type FileChangeStore } from './file-change-store.ts';
import { createFactStore, type FactStore } from './fact-store.ts';
import {
  createExtractionStore,
  createMemoryStore,
  type ExtractionStore,
  type MemoryStore,
} from './memory-store.ts';
import { createIncomingStore, type IncomingStore } from './incoming-store.ts';
import { createJobStore, type JobStore } from './job-store.ts';
import { createMcpStore, type McpStore } from './mcp-store.ts';
import { createSkillStore, type SkillStore } from './skill-store.ts';
import { createJournal, type Journal } from './journal.ts';
import { createJsonReader } from './json.ts';
import { migrate } from './migrate.ts';
import { migrations as released } from './migrations/index.ts';
import { markInterrupted, type InterruptedTurn } from './recover.ts';
import { createApiTokenStore, type ApiTokenStore } from './api-token-store.ts';
import { createPersonaStore, type PersonaStore } from './persona-store.ts';
import { createPlaceStore, type PlaceStore } from './place-store.ts';
import { createProgramStore, type ProgramStore } from './program-store.ts';
import { createPeopleStore, type PeopleStore } from './people-store.ts';
import { createResultFileStore, type ResultFileStore } from './result-file-store.ts';
import { createSearchUpkeep, type SearchUpkeep } from './search-index.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';
import { createSettingsStore, type SettingsStore } from './settings.ts';
import { openDatabase, openReader, type Database } from './sqlite.ts';
import { createToolResultStore, type ToolResultStore } from './tool-results.ts';
import { createTranscriptStore, type TranscriptStore } from './transcript.ts';
import { createUpkeepStore, type UpkeepStore } from './upkeep.ts';
import { createUsageStore, type UsageStore } from './usage-log.ts';
import { createVectorStore, type VectorStore } from './vector-store.ts';

export interface Store
  extends
    Omit<SessionStore, 'nobodyWorks'>,
    Omit<
      TranscriptStore,
      'turnsFor' | 'newestItem' | 'unclosedTurns' | 'openItems' | 'eachTurn' | 'eachItem'
    >,
    Omit<ContextStore, 'lastRole' | 'settlePlaceholders' | 'eachMessage' | 'eachOwner'>,
    FactStore,
    AbilityStore,
    AttachmentStore,
    FileChangeStore,
    ToolResultStore,
    ResultFileStore,
    CommandRuleStore,
    HostRuleStore,
    ExtractionStore,
    PeopleStore,
    BudgetRuleStore,
    ApiTokenStore,
    PlaceStore,
    PersonaStore,
    ProgramStore,
    JobStore,
    McpStore,
    SkillStore,
    IncomingStore,
    VectorStore,
    CollectionStore,
    Pick<SearchUpkeep, 'tendSearch'>,
    Omit<Journal, 'countCalls'>,
    UpkeepStore,
    UsageStore,
    SettingsStore {
  /** The session with its newest `limit` items and their turns; null = no such session. */
  loadSnapshot(sessionId: string, limit: number): SessionSnapshot | null;
  /** Once, on start, before any turn runs: closes what a dead host left open and tells what is known of it. */
  markInterrupted(now: number): InterruptedTurn[];
  /** What is remembered of one person. */
  memoryOf(userId: string): MemoryStore;
  /** All of it or nothing; may be nested. */
  transaction<T>(run: () => T): T;
  /** Reads in slices what would take long: everything stays as it is now for it, whatever is written meanwhile. */
  view<T>(read: (view: StoreView) => Promise<T>): Promise<T>;
  close(): void;
}

/** Sessions as they were at one moment. */
export type StoreView = Pick<SessionStore, 'getSession' | 'getHead'> &
  Pick<TranscriptStore, 'eachTurn' | 'eachItem'> &
  Pick<ContextStore, 'generation' | 'eachMessage' | 'eachOwner' | 'hasForeignText'> &
  Pick<FactStore, 'readSessionData'> &
  Pick<ToolResultStore, 'keptResult'>;

/** In the data folder. */
export const databaseFile = 'andiron.db';

export type OpenDatabase = (path: string) => Database;

export interface StoreDeps {
  /** The data folder; made when it is missing. */
  dataDir: string;
  log: Log;
  newId: NewId;
  /** Only tests name others. */
  migrations?: readonly string[];
  /** Only tests name another: one that fails or dies at a chosen write. */
  open?: OpenDatabase;
}

/** Throws AndironError `storage` when the data cannot be opened safely; every function of the store may, too. */
export function openStore(deps: StoreDeps): Store {
  const { dataDir, log, newId, migrations = released, open = openDatabase } = deps;
  makeDataDir(dataDir);
  const path = join(dataDir, databaseFile);
  const database = open(path);
  try {
    migrate(database, migrations, join(dataDir, 'backups'));
    log.info('The store is open', {
      version: database.pragma('user_version'),
      journal: database.pragma('journal_mode'),
      synchronous: database.pragma('synchronous'),
    });
    const json = createJsonReader(log);
    const settings = createSettingsStore(database, json);
    const budgetRules = createBudgetRuleStore(settings);
    const sessions = createSessionStore(database, json);
    const journal = createJournal(database);
    const transcript = createTranscriptStore(database, json);
    const context = createContextStore(database, json);
    const facts = createFactStore(database, json);
    const fileChanges = createFileChangeStore(database);
    const upkeep = createUpkeepStore(database);
    const searchUpkeep = createSearchUpkeep(database, json);
    let views = 0;
    return {
      ...sessions,
      ...transcript,
      ...context,
      ...journal,
      ...settings,
      ...budgetRules,
      ...upkeep,
      tendSearch: () => searchUpkeep.tendSearch(),
      ...facts,
      ...createAbilityStore(database, log),
      ...createCommandRuleStore(database),
      ...createHostRuleStore(database),
      ...createAttachmentStore(database),
      ...fileChanges,
      ...createToolResultStore(database),
      ...createUsageStore(database, budgetRules.budgetRules),
      resultFile: createResultFileStore(database).resultFile,
      ...createMemoryStore(database),
      ...createExtractionStore(database),
      ...createPeopleStore(database),
      ...createApiTokenStore(database),
      ...createPlaceStore(database),
      ...createPersonaStore(database),
      ...createProgramStore(database),
      ...createJobStore(database),
      ...createMcpStore(database),
      ...createSkillStore(database),
      ...createIncomingStore(database),
      ...createVectorStore(database),
      ...createCollectionStore(database),
      loadSnapshot: (sessionId, limit) =>
        loadSnapshot({ sessions, transcript, facts, fileChanges }, sessionId, limit),
      markInterrupted: (now) =>
        markInterrupted({ database, sessions, transcript, context, journal }, now, newId),
      transaction: (run) => database.transaction(run),
      compact() {
        // It would wait for them, and everything else with it.
        if (views > 0)
          throw new AndironError('busy', 'A session is being copied or exported.', 'Wait for its end.');
        searchUpkeep.cleanSearch();
        upkeep.compact();
      },
      async view(read) {
        const reader = openReader(path);
        views += 1;
        try {
          return await read({
            ...createSessionStore(reader, json),
            ...createTranscriptStore(reader, json),
            ...createContextStore(reader, json),
            ...createFactStore(reader, json),
            ...createToolResultStore(reader),
          });
        } finally {
          views -= 1;
          reader.close();
        }
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error instanceof AndironError ? error : unusable(dataDir, error);
  }
}

/** Whatever a database says of its own tables is no advice for a person. */
function unusable(dataDir: string, cause: unknown): AndironError {
  return new AndironError(
    'storage',
    `The database in ${dataDir} lacks something that Andiron needs.`,
    'Put a copy from the folder "backups" in its place, or start Andiron with another data folder (--data-dir).',
    { cause },
  );
}

interface SnapshotParts {
  sessions: SessionStore;
  transcript: TranscriptStore;
  facts: FactStore;
  fileChanges: FileChangeStore;
}

function loadSnapshot(
  { sessions, transcript, facts, fileChanges }: SnapshotParts,
  sessionId: string,
  limit: number,
): SessionSnapshot | null {
  const session = sessions.getSession(sessionId);
  if (!session) return null;
  const { items, hasOlder } = transcript.pageItems(sessionId, { limit });
  const turns = transcript.turnsFor(sessionId, items);
  const tokens = sessions.getTokens(sessionId);
  const todo = facts.readSessionData(sessionId, 'todo', todoSchema);
  const files = fileChanges.changedFiles(sessionId);
  return {
    session: session.summary,
    turns,
    items,
    hasOlder,
    context: session.contextUsage,
    ...(tokens && { tokens }),
    ...(todo && { todo }),
    ...(files.length > 0 && { files }),
  };
}

function makeDataDir(dataDir: string): void {
  try {
    makePrivateFolder(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Choose another data folder (--data-dir) or give yourself write permission on this one.';
    throw new AndironError('storage', `The data folder cannot be made: ${reason}.`, advice, { cause: error });
  }
}
