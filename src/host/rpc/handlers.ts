/** What windows may ask of the host. A mapped type over the method map: nothing can be forgotten. */
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { Ways } from '../ways/wanted-ways.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { inboxHandlers } from './inbox-handlers.ts';
import { peopleHandlers, type PeopleHandlerDeps } from './people-handlers.ts';
import { createPersonHandlers, type PersonDeps } from './person-handlers.ts';
import { firstRunHandlers, type FirstRunDeps } from './exam-handlers.ts';
import { changedFileHandlers, type ChangedFileDeps } from './changed-file-handlers.ts';
import { abilityHandlers, type AbilityDeps } from './ability-handlers.ts';
import { modelHostHandlers, type ModelHostDeps } from './model-host-handlers.ts';
import { attachmentHandlers, type AttachmentHandlerDeps } from './attachment-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';
import { programHandlers, type ProgramData } from './program-handlers.ts';
import { sessionHandlers, type SearchSessions, type SessionHandlerDeps } from './session-handlers.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { scheduleHandlers } from './schedule-handlers.ts';
import { tokenHandlers, type TokenHandlerDeps } from './token-handlers.ts';
import { turnHandlers } from './turn-handlers.ts';
import { usageHandlers, type UsageLog } from './usage-handlers.ts';
import type { McpServers } from '../mcp/servers.ts';
import type { Offers } from '../mcp/offers.ts';
import { mcpHandlers } from './mcp-handlers.ts';
import { mcpOfferHandlers } from './mcp-offer-handlers.ts';
import type { Skills } from '../skills/skills.ts';
import { skillHandlers } from './skill-handlers.ts';
import { wayHandlers } from './way-handlers.ts';
import { webHandlers, type WebControl } from './web-handlers.ts';
import { collectionHandlers, type CollectionControl } from './collection-handlers.ts';

export interface HandlerDeps {
  sessions: SessionManager;
  search: SearchSessions;
  profiles: Profiles;
  tools: () => ToolFacts[];
  defaults: { profileId: string; workspace: string | null; isSandboxed: boolean };
  /** Other model servers. */
  hosts: { ids: ReadonlySet<string>; listed: Omit<ModelHostDeps, 'readModels'> };
  epoch: string;
  person: PersonDeps;
  people: PeopleHandlerDeps;
  tokens: TokenHandlerDeps['tokens'];
  inbox: Inbox;
  schedule: Schedule;
  ways: Pick<Ways, 'list' | 'change'>;
  mcp: McpServers;
  offers: Offers;
  web: WebControl;
  collections: CollectionControl;
  skills: Skills;
  files: AttachmentHandlerDeps;
  fileChanges: ChangedFileDeps;
  firstRun: FirstRunDeps;
  abilities: AbilityDeps;
  mayWorkAlone: SessionHandlerDeps['mayWorkAlone'];
  usage: UsageLog & ProgramData;
}

export function createHandlers({
  sessions,
  search,
  profiles,
  tools,
  defaults,
  hosts,
  epoch,
  person,
  people,
  tokens,
  inbox,
  schedule,
  ways,
  mcp,
  offers,
  web,
  collections,
  skills,
  files,
  fileChanges,
  firstRun,
  abilities,
  mayWorkAlone,
  usage,
}: HandlerDeps): Handlers<HostMethods> {
  return {
    ...abilityHandlers(abilities),
    ...attachmentHandlers(files),
    ...changedFileHandlers(fileChanges, sessions),
    ...firstRunHandlers(firstRun),
    ...modelHostHandlers({ ...hosts.listed, readModels: (signal) => abilities.engine.readModels(signal) }),
    ...peopleHandlers(people),
    ...inboxHandlers(inbox),
    ...tokenHandlers({ tokens }),
    ...programHandlers({ data: usage, inbox, profiles, files: fileChanges }),
    ...scheduleHandlers(schedule),
    ...wayHandlers(ways),
    ...mcpHandlers(mcp, tools),
    ...mcpOfferHandlers(offers),
    ...webHandlers(web),
    ...collectionHandlers(collections),
    ...skillHandlers(skills),
    'host/subscribe': (_params, { connection }) => {
      const { seq, sessions: list } = sessions.follow(connection);
      const { profiles: known, problems } = profiles.state();
      return {
        seq,
        epoch,
        sessions: list,
        profiles: known,
        problems,
        defaults,
        hosts: [...hosts.ids],
        exam: firstRun.exams.current(),
        exams: firstRun.exams.results(),
      };
    },
    ...sessionHandlers({ sessions, profiles, uploads: files.uploads, search, epoch, mayWorkAlone }),
    ...turnHandlers(sessions, people.people),
    ...usageHandlers(usage),
    ...profileHandlers(profiles, tools),
    ...createPersonHandlers(person),
  };
}
