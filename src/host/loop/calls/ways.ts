/**
 * How one step may ask the model, in the order in which it is tried: natively, under a grammar that leaves out more and
 * more, and at last as text that is read for calls. A step only goes forward.
 */
import type { Sampling } from '../../providers/provider.ts';
import { details, type Detail } from './constrained.ts';
import type { CallMode } from './ladder.ts';

export type Way = 'native' | Detail | 'text';

export const ways: readonly Way[] = ['native', ...details, 'text'];

export const modeOfWay = (way: Way): CallMode =>
  way === 'native' || way === 'text' ? 'native' : 'constrained';

/** Null for the ways without a grammar. */
export const detailOf = (way: Way): Detail | null => (way === 'native' || way === 'text' ? null : way);

/** Grammars that are the same as this one are passed over. `schemaOf`: what would be sent. */
export function wayAfter(way: Way, schemaOf: (detail: Detail) => unknown): Way {
  const sent = (each: Way): string => {
    const detail = detailOf(each);
    return detail === null ? each : JSON.stringify(schemaOf(detail));
  };
  const later = ways.slice(ways.indexOf(way) + 1);
  return later.find((each) => sent(each) !== sent(way)) ?? 'text';
}

/** What decides a reply, apart from chance: two requests with one identity would bring the same reply. */
export function requestIdentity(messages: unknown, format: unknown, { temperature, seed }: Sampling): string {
  return JSON.stringify([
    messages,
    format ?? null,
    temperature ?? null,
    temperature === 0 ? null : (seed ?? null),
  ]);
}

/** Calls are best at 0 (tiny-models: 14 of 24, at 0.7 5 of 24). Asked again, the same would come again. */
const firstTemperature = 0;
export const laterTemperature = 0.4;

/**
 * The sampling of the next try. `own`: of the profile. `isSent`: this step has sent it before. A model that is asked
 * natively keeps the profile's temperature, as long as that leaves room for another reply.
 */
export function samplingOf(
  way: Way,
  tries: number,
  own: Sampling,
  isSent: (sampling: Sampling) => boolean,
): Sampling {
  const isNative = modeOfWay(way) === 'native';
  const first: Sampling = isNative ? {} : { temperature: firstTemperature };
  if (tries === 0 && !isSent({ ...own, ...first })) return first;
  const keeps = isNative && own.temperature !== undefined && own.temperature > 0;
  const sampling = { seed: Math.max(1, tries), ...(!keeps && { temperature: laterTemperature }) };
  while (isSent({ ...own, ...sampling })) sampling.seed += 1;
  return sampling;
}

/** What a narrower request does without, for the person. */
export const narrowerWords: Readonly<Record<Way, string>> = {
  native: '',
  all: '',
  no_patterns: 'without patterns',
  no_values: 'without lists of values',
  names: 'for the names of the tools alone',
  text: 'without a grammar',
};
