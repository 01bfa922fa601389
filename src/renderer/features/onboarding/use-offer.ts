import { useState } from 'react';
import type { EngineState, Fit, GpuSample } from '../../../protocol/model.ts';
import { defaultContextTokens } from '../../../protocol/profile-limits.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { gpuSight, splitVram, type VramSplit } from '../../../rules/vram-split.ts';
import { useTarget } from '../../stores/use-target.ts';
import { recommendFor, type CatalogueModel, type CatalogueName } from './catalogue.ts';
import { writingSpeed } from './writing-speed.ts';

/** A model with its price, before anything is downloaded. */
export interface OfferedModel extends CatalogueModel {
  /** With the window of the profile; null = the engine has not said. */
  fit: Fit | null;
  /** Predicted tokens per second; null = unknown. */
  writesPerSecond: number | null;
}

/** The best model for this GPU and two others, and which of them is chosen. */
export interface Offer {
  models: OfferedModel[];
  vram: Pick<VramSplit, 'total' | 'free'>;
  /** Of the profile that the first session begins with. */
  contextTokens: number;
  chosen: OfferedModel | undefined;
  onChoose: (name: CatalogueName) => void;
}

const none: readonly GpuSample[] = [];

/** @param wanted false = nothing is offered now, so nothing is asked either. */
export function useOffer(engine: EngineState | null, wanted: boolean): Offer {
  const [name, setName] = useState<CatalogueName | null>(null);
  const contextTokens = useTarget().profile?.contextTokens ?? defaultContextTokens;
  const gpus = engine?.gpus ?? none;
  const isKnown = engine !== null && gpuSight(engine) !== 'unreadable';
  const vram = isKnown && engine.gpus ? splitVram(engine.gpus, engine.loaded) : { total: null, free: null };
  const listed = recommendFor(vram);
  const fits = useFits(wanted ? listed : [], contextTokens);
  const models = listed.map((model): OfferedModel => {
    const fit = fits.find((each) => each.model === model.name) ?? null;
    // What lies partly in main memory is slower by far, and nobody knows by how much.
    const whole = !fit || fit.verdict === 'fits' || fit.verdict === 'tight';
    return { ...model, fit, writesPerSecond: whole ? writingSpeed(model, gpus) : null };
  });
  return {
    models,
    vram,
    contextTokens,
    chosen: models.find((model) => model.name === name) ?? models[0],
    onChoose: setName,
  };
}

/** By the engine's own arithmetic; what it cannot say is missing. */
function useFits(models: readonly CatalogueModel[], contextTokens: number): Fit[] {
  const names = models.map((model) => model.name);
  const key = names.length === 0 ? null : `offer:${contextTokens}:${names.join()}`;
  const { value } = useAnswer(key, (ask) =>
    Promise.allSettled(names.map((name) => ask.fits(name, [contextTokens]))),
  );
  return value?.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])) ?? [];
}
