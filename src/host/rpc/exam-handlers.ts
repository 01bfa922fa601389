/** Exams of models, and the folder of the first task. */
import type { examMethods } from '../../protocol/exam-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { sampleMethods } from '../../protocol/sample-methods.ts';
import type { Exams } from '../models/exam/exams.ts';

export interface FirstRunDeps {
  exams: Exams;
  /** Makes a fresh copy of the sample folder, and tells where. */
  copySample: () => Promise<string>;
}

export function firstRunHandlers({
  exams,
  copySample,
}: FirstRunDeps): Handlers<typeof examMethods & typeof sampleMethods> {
  return {
    'exam/price': ({ model }) => exams.price(model),
    'exam/begin': ({ model, profileId }) => {
      exams.begin(model, profileId);
      return {};
    },
    'exam/cancel': () => {
      exams.cancel();
      return {};
    },
    'sample/copy': async () => ({ workspace: await copySample() }),
  };
}
