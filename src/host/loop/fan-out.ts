/** Several subagents in one reply work one after another on the one GPU: what that costs is said before the first begins. */
import { estimateHead, estimateTokens } from '../prompt/token-estimate.ts';
import type { WrittenCall } from './request/reply-writer.ts';
import type { RequestScope } from './ports.ts';

const minSpawns = 2;

/** Nothing is said of a single one: its card says it all. */
export function reportFanOut(calls: readonly WrittenCall[], { setting, model, out }: RequestScope): void {
  const spawns = calls.filter(({ item }) => item.tool === 'spawn_agent');
  if (spawns.length < minSpawns) return;
  const { active, lease } = setting;
  const ratio = model.models.tokenRatio(lease.model);
  const tokens = spawns.reduce(
    (sum, { args }) => sum + ratio * tokensOf(args, active.profile.id, active.head),
    0,
  );
  const ms = model.readingSpeed(lease.model.name).predictMs({ tokens, depth: 0 });
  const time = ms === null ? '' : `, about ${String(Math.max(1, Math.round(ms / 1000)))} s`;
  const text = `${String(spawns.length)} subagents, one after another on the one GPU: about ${rounded(tokens)} tokens to read before they begin${time}.`;
  out.note('fan_out', text);
}

/** One of the same profile shares the head that is in the cache; any other reads its own, of about that size. */
function tokensOf(args: unknown, profileId: string, head: Parameters<typeof estimateHead>[0]): number {
  const { profile_id: asked, ...said } = { profile_id: profileId, ...Object(args) } as Record<
    string,
    unknown
  >;
  const briefing = estimateTokens([{ role: 'user', content: JSON.stringify(said) }]);
  return asked === profileId ? briefing : briefing + estimateHead(head);
}

const rounded = (tokens: number): string =>
  tokens < 1_000 ? String(Math.ceil(tokens / 50) * 50) : `${(tokens / 1_000).toFixed(1)}k`;
