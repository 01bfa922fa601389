import type { ThinkValue } from '../render/types.ts';
import { refuse, type Outcome } from './outcome.ts';
import type { Dialect } from './dialect.ts';

const LEVELS = new Set(['high', 'medium', 'low', 'max']);
const SUPPORTED = '"high", "medium", "low", "max", true, or false';

/** `think` of a request. Newer releases take any string and let the model decide. */
export function parseThink(value: unknown, dialect: Dialect): Outcome<ThinkValue | undefined> {
  if (value === undefined || value === null) return { ok: true, value: undefined };
  if (typeof value === 'boolean') return { ok: true, value };
  if (typeof value !== 'string') return refuse(400, `think must be a boolean or string (${SUPPORTED})`);
  if (dialect === '0.33.2' && !LEVELS.has(value)) {
    return refuse(400, `invalid think value: ${JSON.stringify(value)} (must be ${SUPPORTED})`);
  }
  return { ok: true, value };
}
