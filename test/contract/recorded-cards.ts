/** The template card of a recorded family, made as a probing would have made it. */
import { makeCard } from '../../src/host/prompt/card/make-card.ts';
import type { TemplateCard } from '../../src/host/prompt/card/card.ts';
import { tellsMore, probes, type Render } from '../../src/host/prompt/card/probes.ts';
import type { RecordedRender } from './records.ts';

/** What a probing would have asked for and got. */
export function probedFrom(recorded: ReadonlyMap<string, RecordedRender>): Map<string, Render> {
  const renders = new Map<string, Render>();
  for (const probe of probes) {
    if (!tellsMore(probe, renders)) continue;
    const render = recorded.get(probe.id);
    if (render === undefined) throw new Error(`no record of ${probe.id}`);
    renders.set(probe.id, typeof render === 'string' ? { prompt: render } : { refused: render.error });
  }
  return renders;
}

/** @param family for the error of a family that has no card. */
export function cardFrom(family: string, recorded: ReadonlyMap<string, RecordedRender>): TemplateCard {
  const card = makeCard(probedFrom(recorded));
  if (card === undefined) throw new Error(`no card of ${family}`);
  return card;
}
