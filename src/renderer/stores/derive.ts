/** Questions that several parts of the window ask of the same state. Pure. */
import type {
  ApprovalMode,
  EngineState,
  LoadedModel,
  ModelInfo,
  Profile,
  RequestUsage,
  SessionSummary,
  ToolItem,
  Turn,
} from '../../protocol/model.ts';
import type { SessionState } from '../../protocol/reducer.ts';
import { canCallTools, effectiveModel as chooseEffective } from '../../rules/choose-model.ts';
import type { HostStoreState } from './host-store.ts';
import type { SessionStoreState } from './session-store.ts';
import type { UiState } from './ui-store.ts';

export { canCallTools, canChat } from '../../rules/choose-model.ts';

/** The turn that runs now; at most one per session. */
export function runningTurn(state: SessionState | null): Turn | undefined {
  return state?.turns.findLast((turn) => turn.status === 'running');
}

/** The newest turn that has begun, running or over. */
export function latestTurn(state: SessionState | null): Turn | undefined {
  return state?.turns.findLast((turn) => turn.status !== 'queued');
}

/** The call that waits for an answer of the person, the newest of several. */
export function askingCall(state: SessionState | null): ToolItem | undefined {
  return state?.items.findLast(
    (item): item is ToolItem => item.kind === 'tool' && item.state === 'awaiting_approval',
  );
}

/** It said that its message asks for no change and no command, and nobody has allowed it more, which can be done. */
export const isHeldToLooking = ({ scope, allow = [] }: Turn): boolean =>
  scope !== undefined && !scope.change && !scope.run && !scope.mayNotChange && allow.length === 0;

export function queuedTurns(state: SessionState | null): Turn[] {
  return state?.turns.filter((turn) => turn.status === 'queued') ?? [];
}

/** It runs, or waits for nothing and is about to. */
const goesOn = ({ status, waitsFor }: Turn): boolean =>
  status === 'running' || (status === 'queued' && waitsFor === undefined);

/** True from the frame in which Send was pressed until the turn is over. */
export function isBusy({ state, sending }: SessionStoreState): boolean {
  return sending !== null || (state?.turns.some(goesOn) ?? false);
}

type Shown = Pick<SessionStoreState, 'sessionId' | 'state' | 'sending'>;

/** No turn has begun in it, and nothing is on its way; a message may wait until one can. */
export function isEmptySession({ sessionId, state, sending }: Shown): boolean {
  if (sending !== null) return false;
  return sessionId === null || (state !== null && hasNotBegun(state));
}

function hasNotBegun({ items, turns }: SessionState): boolean {
  return items.length === 0 && turns.every(({ status, waitsFor }) => status === 'queued' && waitsFor);
}

/** The same from before Send until the host has answered: what stands there while no model is ready stays. */
export function isEmptyOrSendingFirst(shown: Shown): boolean {
  const { state, sending } = shown;
  return sending === null ? isEmptySession(shown) : state === null || hasNotBegun(state);
}

/** What the composer's chips and the bottom bar speak about: the open session, or the one about to be made. */
export interface Target {
  session: SessionSummary | null;
  workspace: string | null;
  profile: Profile | undefined;
  /** The model the person chose; null = the profile decides. */
  chosenModel: string | null;
  /** What it may do without asking, where that was chosen for it; null = as the profile has it. */
  chosenApprovals: ApprovalMode | null;
  /** Ids of the other hosts. */
  hosts: ReadonlySet<string>;
}

export function currentTarget(
  host: Pick<HostStoreState, 'sessions' | 'profiles' | 'defaults' | 'hosts'>,
  ui: Pick<UiState, 'openSessionId' | 'newSession'>,
  open: SessionSummary | undefined,
): Target {
  const profileOf = (id: string | undefined): Profile | undefined =>
    host.profiles.find((profile) => profile.id === id);
  if (ui.openSessionId !== null) {
    const session = open ?? host.sessions.find((candidate) => candidate.id === ui.openSessionId) ?? null;
    return {
      session,
      workspace: session?.workspace ?? null,
      profile: profileOf(session?.profileId),
      chosenModel: session?.model ?? null,
      chosenApprovals: session?.approvals ?? null,
      hosts: host.hosts,
    };
  }
  return {
    session: null,
    workspace: ui.newSession.workspace ?? host.defaults?.workspace ?? null,
    profile: profileOf(ui.newSession.profileId ?? host.defaults?.profileId),
    chosenModel: ui.newSession.model ?? null,
    chosenApprovals: ui.newSession.approvals ?? null,
    hosts: host.hosts,
  };
}

/** The model that the next turn will use; one that was chosen and is not installed keeps its name. */
export function effectiveModel(
  { chosenModel: chosen, profile, hosts }: Target,
  engine: Pick<EngineState, 'models'> | null,
): string | null {
  return chooseEffective({ chosen, wanted: profile?.models ?? [], hosts, installed: engine?.models ?? [] });
}

/**
 * How a model calls the tools of this profile: in a fixed form where the profile asks for it, and where the model has no
 * calls of its own unless the profile insists on those. null = the engine has not said what it can.
 */
export function wayToTools(
  model: ModelInfo,
  profile: Pick<Profile, 'calls' | 'tools'> | undefined,
): 'own' | 'fixed_form' | 'none' | null {
  const able = canCallTools(model);
  if (able === null) return null;
  // One that only talks asks for no form: what is left to say is what the model can.
  const calls = profile?.tools.length === 0 ? 'native' : (profile?.calls ?? 'auto');
  if (calls === 'constrained' || (calls === 'auto' && !able)) return 'fixed_form';
  return able ? 'own' : 'none';
}

export function loadedModel(engine: EngineState | null, name: string | null): LoadedModel | undefined {
  return engine?.loaded.find((model) => model.name === name);
}

/** "NVIDIA GeForce RTX 3090" is an RTX 3090 wherever there is little room. */
export function shortGpuName(name: string): string {
  return name
    .replace(/^(NVIDIA|AMD|Intel(\(R\))?)\s+/i, '')
    .replace(/^(GeForce|Radeon)\s+(?=RTX|GTX|RX|PRO)/i, '');
}

/** Sums over the requests of one or more turns. `output`: null = a request did not say, so unknown. */
export function totalUsage(usage: RequestUsage[]): { requests: number; output: number | null } {
  const known = usage.map(({ outputTokens }) => outputTokens).filter((tokens) => tokens !== null);
  const isKnown = known.length === usage.length && known.length > 0;
  return { requests: usage.length, output: isKnown ? known.reduce((a, b) => a + b, 0) : null };
}
