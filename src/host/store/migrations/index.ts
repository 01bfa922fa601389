import { sessions } from './0001-sessions.ts';
import { agent } from './0002-agent.ts';
import { memory } from './0003-memory.ts';
import { attachments } from './0004-attachments.ts';
import { fileChanges } from './0005-file-changes.ts';
import { sessionTokens } from './0006-session-tokens.ts';
import { approvalRules } from './0007-approval-rules.ts';
import { toolResults } from './0008-tool-results.ts';
import { importedSessions } from './0009-imported-sessions.ts';
import { sessionSearch } from './0010-session-search.ts';
import { modelAbilities } from './0011-model-abilities.ts';
import { commandRules } from './0012-command-rules.ts';
import { commandChanges } from './0013-command-changes.ts';
import { sessionApprovals } from './0014-session-approvals.ts';
import { hostRules } from './0015-host-rules.ts';
import { people } from './0016-people.ts';
import { usage } from './0017-usage.ts';
import { resultFiles } from './0018-result-files.ts';
import { apiTokens } from './0019-api-tokens.ts';
import { jobs } from './0020-jobs.ts';
import { personas } from './0021-personas.ts';
import { incomingMessages } from './0022-incoming-messages.ts';
import { mcpTools } from './0023-mcp-tools.ts';
import { skills } from './0024-skills.ts';
import { memoryVectors } from './0025-memory-vectors.ts';
import { attachmentOrigins } from './0026-attachment-origins.ts';
import { collections } from './0027-collections.ts';
import { sessionList } from './0028-session-list.ts';
import { jobTimes } from './0029-job-times.ts';

/** Forward only: the n-th entry leads from version n − 1 to n. An entry that was ever released is never changed. */
export const migrations: readonly string[] = [
  sessions,
  agent,
  memory,
  attachments,
  fileChanges,
  sessionTokens,
  approvalRules,
  toolResults,
  importedSessions,
  sessionSearch,
  modelAbilities,
  commandRules,
  commandChanges,
  sessionApprovals,
  hostRules,
  people,
  usage,
  resultFiles,
  apiTokens,
  jobs,
  personas,
  incomingMessages,
  mcpTools,
  skills,
  memoryVectors,
  attachmentOrigins,
  collections,
  sessionList,
  jobTimes,
];
