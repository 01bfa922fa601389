/** What every session is given by the composition root. */
import type { KeptRules } from '../approvals/kept-rules.ts';
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionSummary, WantedFor } from '../../protocol/model.ts';
import type { FirstMeetings } from '../models/first-meeting.ts';
import type { ReadinessWatch } from '../models/readiness.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { EngineAccess } from '../loop/deps.ts';
import type { Meaning } from '../memory/meaning/meaning.ts';
import type { Memories } from '../memory/memories.ts';
import type { Skills } from '../skills/skills.ts';
import type { LookCheck } from '../planning/evidence.ts';
import type { CountRequest, MeteredProvider, ModelCandidate } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import type { Models } from '../models/create-models.ts';
import type { PrefixWarmer } from '../warm/prefix-warmer.ts';

export interface SessionDeps extends Models {
  store: Store;
  metered: (count: CountRequest, assertAllowed?: () => void) => MeteredProvider;
  /** The models that may answer in place of this one, itself first; undefined = nobody else. */
  fallbacks: (model: string, listed: readonly string[]) => readonly ModelCandidate[] | undefined;
  tools: ReadonlyMap<string, Tool>;
  engine: EngineAccess;
  meetings: Pick<FirstMeetings, 'meet' | 'meetLater'>;
  modelReadiness: ReadinessWatch['modelReadiness'];
  warmer: PrefixWarmer;
  memories: Memories;
  meaning: Pick<Meaning, 'near' | 'sessionOpened'>;
  skills: Pick<Skills, 'guidance' | 'mayRead' | 'instructionsNear'>;
  /** Whose place in the line for the GPU a turn of the session takes. `isForProgram`: nobody wrote its message. */
  wantedFor: (sessionId: string, isForProgram: boolean) => WantedFor;
  /** Throws `over_budget` once whoever the session belongs to has used up their tokens. */
  assertTokensLeft: (sessionId: string) => void;
  /** Looks at a file of that workspace for a step's check. */
  look: (workspace: string, check: LookCheck) => Promise<{ passed: boolean; text: string }>;
  /** Files and folders of that workspace, as far as a grammar can name them. */
  workspaceEntries: (workspace: string) => Promise<readonly string[]>;
  /** An engine refused a grammar, in its own words. */
  reportRefusedGrammar: (model: string, words: string) => void;
  attachments: Pick<Attachments, 'addBytes' | 'take' | 'pathsOf' | 'read' | 'restore' | 'pathOf'>;
  platform: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** The row in the sessions list changed. */
  onSummary: (summary: SessionSummary) => void;
  /** What was allowed for the rest of it is recorded anew. */
  onGrants: () => void;
  /** Commands and hosts that are allowed for longer than one call. */
  rules: Pick<KeptRules, 'commandsOf' | 'hostsOf'>;
}
