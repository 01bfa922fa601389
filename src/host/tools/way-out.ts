/** What a command in the sandbox may reach: a proxy of its own, which asks the person for each host. */
import type { HostProxy } from '../../platform/sandbox/host-proxy.ts';
import { hostName } from '../../rules/asked-host.ts';
import type { CommandSandbox } from './command-sandbox.ts';
import type { HostVerdict, ToolContext } from './tool.ts';

export interface WayOut {
  proxy: HostProxy;
  /** What the person did not allow, in words for the model. */
  declined(): string[];
}

/** null = nobody can be asked, so nothing is reached. */
export async function openWayOut(
  { openProxy }: Pick<CommandSandbox, 'openProxy'>,
  { person }: Pick<ToolContext, 'person'>,
): Promise<WayOut | null> {
  const reach = person?.reach;
  if (!openProxy || !reach) return null;
  const answers = new Map<string, Promise<HostVerdict>>();
  const declined: string[] = [];
  const askOnce = async (name: string, wanted: Parameters<typeof reach>[0]): Promise<HostVerdict> => {
    const verdict = await reach(wanted);
    if (!verdict.isAllowed) declined.push(declinedWords(name, verdict.reply));
    return verdict;
  };
  const proxy = await openProxy(async (wanted) => {
    const name = hostName(wanted);
    // A program that tries again while the person thinks, or after a no, asks nothing new.
    const answer = answers.get(name) ?? askOnce(name, wanted);
    answers.set(name, answer);
    return (await answer).isAllowed;
  });
  return { proxy, declined: () => declined };
}

const declinedWords = (name: string, reply: string | undefined): string =>
  reply === undefined
    ? `The person did not let it reach ${name}.`
    : `The person did not let it reach ${name} and says: ${reply}`;
