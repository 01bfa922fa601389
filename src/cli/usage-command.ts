/** `andiron usage`: how many tokens the models have read and written. */
import type { UsageGrouping, UsageSums } from '../protocol/usage-methods.ts';
import { exactAmount } from '../rules/cost-text.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';
import type { CliOutput } from './cli-output.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { HostRpc } from './host-rpc.ts';

export type UsageBy = Extract<UsageGrouping, 'day' | 'model'> | 'person';

/** One line for each group, then one for all. */
export async function runUsageCommand(
  { by, json }: { by: UsageBy; json: boolean },
  rpc: HostRpc,
  output: CliOutput,
): Promise<ExitCode> {
  const groupBy = by === 'person' ? 'user' : by;
  const { totals, groups } = await rpc.call('usage/query', { groupBy });
  const names = by === 'person' ? await namesOf(rpc) : new Map<string, string>();
  for (const group of groups) {
    const key = group.key ?? '-';
    if (json) output.json(group);
    else output.line(usageLine(names.get(key) ?? key, group));
  }
  if (json) output.json({ key: 'total', ...totals });
  else output.line(usageLine('total', totals));
  return exitCodes.done;
}

async function namesOf(rpc: HostRpc): Promise<Map<string, string>> {
  const { people } = await rpc.call('people/list', {});
  return new Map(people.map(({ id, name, accounts }) => [id, name || accounts[0]?.name || id]));
}

function usageLine(
  name: string,
  { requests, readTokens, cachedTokens, outputTokens, costs }: UsageSums,
): string {
  const figures = [
    `${String(requests)} requests`,
    `${figure(readTokens)} read`,
    `${figure(cachedTokens)} cached`,
    `${figure(outputTokens)} written`,
    ...costs.map(({ nano, currency }) => `${exactAmount(nano)} ${currency}`),
  ];
  return [name, ...figures].map(visibleName).join('  ');
}

const figure = (tokens: number | null): string => (tokens === null ? 'unknown' : String(tokens));
