/** What the window asks without changing anything: answers are shown where they were asked for, never as a notice. */
import type { CatalogueEntry, Fit, LoadPrice, ModelDetails, ProfileFiles } from '../../protocol/model.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import type { Services } from './command.ts';

/** All reject with what a person can read. */
export interface Questions {
  catalogue: () => Promise<CatalogueEntry[]>;
  details: (model: string) => Promise<ModelDetails>;
  /** One for each window, in the order asked. */
  fits: (model: string, windows: number[]) => Promise<Fit[]>;
  price: (model: string, contextTokens: number) => Promise<LoadPrice>;
  /** As they stand on the disk now. */
  profileFiles: (profileId: string) => Promise<ProfileFiles>;
  tools: () => Promise<ToolFacts[]>;
}

export function createQuestions({ engine, host }: Pick<Services, 'engine' | 'host'>): Questions {
  return {
    catalogue: async () => (await engine.call('library/catalogue', {})).entries,
    details: (model) => engine.call('model/details', { model }),
    fits: async (model, contextTokens) => (await engine.call('model/fit', { model, contextTokens })).fits,
    price: (model, contextTokens) => engine.call('model/price', { model, contextTokens }),
    profileFiles: (profileId) => host.call('profile/files', { profileId }),
    tools: async () => (await host.call('tool/list', {})).tools,
  };
}
