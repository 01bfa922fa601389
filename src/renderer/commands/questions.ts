/** What the window asks without changing anything: answers are shown where they were asked for, never as a notice. */
import type { CatalogueEntry, Fit, LoadPrice, ModelDetails } from '../../protocol/model.ts';
import type { Services } from './command.ts';

/** All reject with what a person can read. */
export interface Questions {
  catalogue: () => Promise<CatalogueEntry[]>;
  details: (model: string) => Promise<ModelDetails>;
  /** One for each window, in the order asked. */
  fits: (model: string, windows: number[]) => Promise<Fit[]>;
  price: (model: string, contextTokens: number) => Promise<LoadPrice>;
}

export function createQuestions({ engine }: Pick<Services, 'engine'>): Questions {
  return {
    catalogue: async () => (await engine.call('library/catalogue', {})).entries,
    details: (model) => engine.call('model/details', { model }),
    fits: async (model, contextTokens) => (await engine.call('model/fit', { model, contextTokens })).fits,
    price: (model, contextTokens) => engine.call('model/price', { model, contextTokens }),
  };
}
