/** Asks an engine for the renders of a model and makes its card of them. */
import type { TemplateCard } from './card.ts';
import { makeCard } from './make-card.ts';
import { tellsMore, probes, type Probe, type Render } from './probes.ts';

/** Asks for one render, under a lease. null = the engine knows no renders. Throws what is neither prompt nor refusal. */
export type AskForRender = (probe: Probe, signal: AbortSignal) => Promise<Render | null>;

/** The request that no template refuses: one user message. */
const simplest = 'shape.no_system_no_tools';

/**
 * One request after the other. null = no card can be had here, so the policy falls back to the family; nothing of a probing
 * that was broken off counts. Throws the signal's reason, or what `ask` threw.
 */
export async function probeTemplate(ask: AskForRender, signal: AbortSignal): Promise<TemplateCard | null> {
  const renders = new Map<string, Render>();
  for (const probe of probes) {
    if (!tellsMore(probe, renders)) continue;
    signal.throwIfAborted();
    const render = await ask(probe, signal);
    const isHopeless = render === null || (probe.id === simplest && 'refused' in render);
    if (isHopeless) return null;
    renders.set(probe.id, render);
  }
  return makeCard(renders) ?? null;
}
