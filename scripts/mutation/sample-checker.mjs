/**
 * A Stryker checker that lets only the sample of `npm run mutate` through. It gets the seed and the largest rank of the
 * sample as options; what it turns away is reported as a compile error, which Stryker counts in no score.
 */
import { relative } from 'node:path';
import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { rank } from './sample.mjs';

class SampleChecker {
  #sample;

  constructor(options) {
    this.#sample = options.sample;
  }

  init() {
    return Promise.resolve();
  }

  group(mutants) {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  check(mutants) {
    const { seed, maxRank, root } = this.#sample;
    const results = mutants.map((mutant) => {
      const fileName = relative(root, mutant.fileName);
      const isIn = rank({ ...mutant, fileName }, seed) <= maxRank;
      return [
        mutant.id,
        isIn ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ];
    });
    return Promise.resolve(Object.fromEntries(results));
  }
}

function createSampleChecker(options) {
  return new SampleChecker(options);
}
createSampleChecker.inject = [commonTokens.options];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', createSampleChecker)];
