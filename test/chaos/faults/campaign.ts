/** The k-th step fails, for k = 1, 2, 3 … until there is no k-th step any more. */
import { edges, runFault, type Edge, type FaultOutcome, type FaultPlan } from './run-fault.ts';

export interface CampaignOptions {
  /** Only every n-th k of an edge: a conversation has many more writes than spawns. */
  stride: Record<Edge, number>;
  /** Where the first k lies within its stride, so that other campaigns try other ones. */
  offset: number;
  onRun: (plan: FaultPlan, outcome: FaultOutcome) => void;
}

/** Every k there is. */
export const everyStep: CampaignOptions['stride'] = { write: 1, file: 1, spawn: 1, chunk: 1 };
/** About fifty runs. */
export const someSteps: CampaignOptions['stride'] = { write: 17, file: 11, spawn: 1, chunk: 13 };
/** About twenty. */
export const fewSteps: CampaignOptions['stride'] = { write: 51, file: 33, spawn: 3, chunk: 39 };

/** Conversations at the same time: most of their time they wait. */
const lanes = 3;

export async function campaign(options: CampaignOptions): Promise<void> {
  for (const edge of edges) {
    for (const lasting of [false, true]) await everyK(edge, lasting, options);
  }
}

async function everyK(edge: Edge, lasting: boolean, options: CampaignOptions): Promise<void> {
  const { stride, offset, onRun } = options;
  let next = 1 + (offset % stride[edge]);
  let more = true;
  const lane = async (): Promise<void> => {
    while (more) {
      const plan = { edge, k: next, lasting };
      next += stride[edge];
      const outcome = await runFault(plan);
      if (!outcome.fired) more = false;
      onRun(plan, outcome);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
