import { useState } from 'react';
import type { EngineState, Fit } from '../../../protocol/model.ts';
import { defaultContextTokens } from '../../../protocol/profile-limits.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { useLackingRoom } from '../../commands/use-lacking-room.ts';
import { gpuSight, splitVram, type VramSplit } from '../../../rules/vram-split.ts';
import { useTarget } from '../../stores/use-target.ts';
import { recommendFor, type CatalogueModel, type CatalogueName } from './catalogue.ts';

/** A model with its price, before anything is downloaded. */
export interface OfferedModel extends CatalogueModel {
  /** With the window of the profile; null = the engine has not said. */
  fit: Fit | null;
  /** Free on the disk that has no room for it; null = it has, or nobody knows. */
  onlyFree: number | null;
}

/** Neither the disk nor the memory of this computer holds it: to download it would be in vain. */
export const isRefused = ({ fit, onlyFree }: OfferedModel): boolean =>
  onlyFree !== null || fit?.verdict === 'too_big';

/** The best model for this GPU and two others, side by side, and which of them is chosen. */
export interface Offer {
  models: OfferedModel[];
  vram: Pick<VramSplit, 'total' | 'free'>;
  chosen: OfferedModel | undefined;
  onChoose: (name: CatalogueName) => void;
}

/** @param wanted false = nothing is offered now, so nothing is asked either. */
export function useOffer(engine: EngineState | null, wanted: boolean): Offer {
  const [name, setName] = useState<CatalogueName | null>(null);
  const contextTokens = useTarget().profile?.contextTokens ?? defaultContextTokens;
  const isKnown = engine !== null && gpuSight(engine) !== 'unreadable';
  const vram = isKnown && engine.gpus ? splitVram(engine.gpus, engine.loaded) : { total: null, free: null };
  const listed = recommendFor(vram);
  const fits = useFits(wanted ? listed : [], contextTokens);
  const lacking = useLackingRoom(wanted ? listed.map((model) => model.name) : [], engine);
  const models = listed.map((model): OfferedModel => {
    const fit = fits.find((each) => each.model === model.name) ?? null;
    return { ...model, fit, onlyFree: lacking.get(model.name) ?? null };
  });
  const best = models.find((model) => !isRefused(model)) ?? models[0];
  return {
    models,
    vram,
    chosen: models.find((model) => model.name === name) ?? best,
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
