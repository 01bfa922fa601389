import { expect, test } from 'vitest';
import { spawnAgentTool } from './spawn-agent.ts';
import type { ProfileChoice, ToolContext } from './tool.ts';

const named = (id: string, more: Partial<ReturnType<ProfileChoice['list']>[number]> = {}) => ({
  id,
  name: id,
  description: '',
  current: false,
  ...more,
});

/** What the call would do beyond the folder. */
async function effectOf(profileId: string | undefined): Promise<unknown> {
  const parsed = spawnAgentTool().parse({ task: 'Look.', briefing: '', profile_id: profileId });
  if (!parsed.ok) throw new Error(parsed.error);
  const checked = await parsed.call.check({
    signal: new AbortController().signal,
    agents: { spawn: () => Promise.reject(new Error('not here')) },
    profiles: {
      list: () => [
        named('here'),
        named('mine', { current: true, maySend: true }),
        named('far', { maySend: true }),
      ],
      switchTo: () => undefined,
    },
  } as unknown as ToolContext);
  if (!checked.ok) throw new Error(checked.result.content);
  return checked.farEffect;
}

test('a subagent whose profile may have its model on another host is a send to a service', async () => {
  expect(await effectOf('far')).toEqual({ kind: 'service', target: 'far' });
});

test.each([['here'], ['mine'], ['unknown'], [undefined]])(
  'a subagent with the profile %s sends nothing that the session does not',
  async (profileId) => {
    expect(await effectOf(profileId)).toBeUndefined();
  },
);
