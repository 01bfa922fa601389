/** What the models have used in a period that ends now, for the settings. */
import { AndironError } from '../../protocol/errors.ts';
import type { UsageGroup, UsageSpan, UsageSums } from '../../protocol/usage-methods.ts';
import { files as filesText } from '../text.ts';
import type { HostConnection, Services } from './command.ts';

/** Whole days of this window's clock, today included. */
export type UsagePeriod = 'today' | 'week' | 'month' | 'all';

export interface TokenUse {
  totals: UsageSums;
  /** With the most input first. */
  models: UsageGroup[];
  /** In their order. */
  days: UsageGroup[];
}

const daysOf = { today: 1, week: 7, month: 30 } as const;

function spanOf(period: UsagePeriod, now: number): UsageSpan {
  if (period === 'all') return {};
  const from = new Date(now);
  from.setHours(0, 0, 0, 0);
  from.setDate(from.getDate() - (daysOf[period] - 1));
  return { from: from.getTime() };
}

export async function tokenUse(host: HostConnection, period: UsagePeriod, now: number): Promise<TokenUse> {
  const span = spanOf(period, now);
  const [models, days] = await Promise.all([
    host.call('usage/query', { ...span, groupBy: 'model' }),
    host.call('usage/query', { ...span, groupBy: 'day' }),
  ]);
  return { totals: models.totals, models: models.groups, days: days.groups };
}

/** Saves one file. null = the person chose no place for it. */
export async function exportUsage(
  { host, files, now }: Pick<Services, 'host' | 'files' | 'now'>,
  period: UsagePeriod,
): Promise<{ handedOver: boolean } | null> {
  const span = spanOf(period, now());
  const parts: string[] = [];
  let next: number | null = null;
  do {
    const piece: { csv: string; next: number | null } = await host.call('usage/export', {
      ...span,
      ...(next !== null && { after: next }),
    });
    parts.push(piece.csv);
    ({ next } = piece);
  } while (next !== null);
  const day = new Date(now()).toISOString().slice(0, 10);
  const outcome = await files.save(`andiron-usage-${day}.csv`, parts, 'text/csv');
  if (outcome === 'cancelled') return null;
  if (outcome === 'interrupted')
    throw new AndironError('storage', filesText.saveFailed.message, filesText.saveFailed.advice);
  // A browser has the file, and tells the page no more.
  return { handedOver: outcome === 'handed-over' };
}
