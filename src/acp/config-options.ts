/** Model, profile and mode of a session, as options that an editor offers. */
import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { AndironError } from '../protocol/errors.ts';
import type { ApprovalMode, SessionSummary } from '../protocol/model.ts';
import type { HostRpc } from '../cli/host-rpc.ts';

/** Stands for "as the profile has it", which Andiron keeps as null. */
const asProfile = 'profile';
/** An editor waits for it; without Ollama only the current model is offered. */
const modelsMs = 3_000;

const modes: readonly { value: ApprovalMode; name: string; description: string }[] = [
  { value: 'ask', name: 'Ask every time', description: 'Every tool asks, reading too.' },
  { value: 'auto_read', name: 'Ask before changes', description: 'Reading is free; edits and commands ask.' },
  { value: 'accept_edits', name: 'Accept edits', description: 'Files change without asking; commands ask.' },
  {
    value: 'plan_only',
    name: 'Plan only',
    description: 'Reads and plans; nothing changes until you approve the plan.',
  },
];

export interface ConfigSource {
  profiles: readonly { id: string; name: string; description: string }[];
  models: readonly string[];
}

/** What there is to choose from now. */
export async function readConfigSource(rpc: HostRpc): Promise<ConfigSource> {
  const [{ profiles }, models] = await Promise.all([rpc.call('host/subscribe', {}), modelNames(rpc)]);
  return { profiles: profiles.map(({ id, name, description }) => ({ id, name, description })), models };
}

async function modelNames(rpc: HostRpc): Promise<string[]> {
  try {
    const { models } = await rpc.call('model/list', {}, AbortSignal.timeout(modelsMs));
    return models.map(({ model }) => model.name);
  } catch {
    return [];
  }
}

export function configOptions(
  session: SessionSummary,
  { profiles, models }: ConfigSource,
): SessionConfigOption[] {
  const names =
    session.model === null || models.includes(session.model) ? models : [session.model, ...models];
  const mode = session.approvals ?? asProfile;
  const offered = modes.some(({ value }) => value === mode) || mode === asProfile;
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Approvals',
      category: 'mode',
      currentValue: mode,
      options: [
        { value: asProfile, name: 'As in the profile' },
        ...modes,
        ...(offered ? [] : [{ value: mode, name: mode }]),
      ],
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: session.model ?? asProfile,
      options: [
        { value: asProfile, name: 'As in the profile' },
        ...names.map((name) => ({ value: name, name })),
      ],
    },
    {
      type: 'select',
      id: 'profile',
      name: 'Profile',
      currentValue: session.profileId,
      options: profiles.map(({ id, name, description }) => ({ value: id, name, description })),
    },
  ];
}

/** Resolves with the session as it is then. Rejects with AndironError for what is not offered. */
export async function setConfigOption(
  rpc: HostRpc,
  sessionId: string,
  { configId, value }: { configId: string; value: string },
): Promise<SessionSummary> {
  switch (configId) {
    case 'profile':
      return (await rpc.call('session/set-profile', { sessionId, profileId: value })).session;
    case 'model':
      return (await rpc.call('session/update', { sessionId, model: value === asProfile ? null : value }))
        .session;
    case 'mode': {
      const mode = modes.find((each) => each.value === value)?.value;
      if (mode === undefined && value !== asProfile)
        throw new AndironError('invalid_params', `There is no mode ${value}.`);
      return (await rpc.call('session/update', { sessionId, approvals: mode ?? null })).session;
    }
    default:
      throw new AndironError('invalid_params', `There is no option ${configId}.`);
  }
}
