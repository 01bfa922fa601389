import type { Server } from 'node:http';

import { PromptCache } from '../cache/index.ts';
import type { Clock } from '../clock.ts';
import { closeServer, listen } from '../http/listen.ts';
import type { SimModel } from '../models.ts';
import type { Launch } from '../scheduler/launch.ts';
import type { TimeModel } from '../time/index.ts';
import type { Truth } from '../truth/truth.ts';
import { Runner } from './runner.ts';
import { createStatusServer } from './status-server.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface RunnerStarterDeps {
  clock: Clock;
  truth: Truth;
  vocabulary: Vocabulary;
  timeOf: (model: SimModel) => TimeModel;
  /** Whether runners have a status port of their own. */
  withStatus: boolean;
}

/** Starts the child process of a model, so to speak, and knows where its status port is. */
export class RunnerStarter {
  readonly #deps: RunnerStarterDeps;
  readonly #statusUrls = new Map<string, string>();

  constructor(deps: RunnerStarterDeps) {
    this.#deps = deps;
  }

  /** Undefined while the model is not loaded, or without status ports. */
  statusUrl(model: SimModel): string | undefined {
    return this.#statusUrls.get(model.name);
  }

  async start(model: SimModel, launch: Launch, parallel: number): Promise<Runner> {
    const { clock, truth, vocabulary, timeOf, withStatus } = this.#deps;
    const runner = new Runner({
      clock,
      truth,
      vocabulary,
      time: timeOf(model),
      contextTokens: launch.numCtx,
      shift: launch.shift,
      cache: new PromptCache({
        memory: model.memory,
        numBatch: launch.numBatch,
        slots: parallel,
        contextTokens: launch.numCtx,
        bytesPerToken: model.kvBytesPerToken,
      }),
    });
    if (withStatus)
      await this.#openStatus(model, createStatusServer(runner, launch.numCtx, parallel), runner);
    return runner;
  }

  async #openStatus(model: SimModel, server: Server, runner: Runner): Promise<void> {
    const port = await listen(server, 0);
    this.#statusUrls.set(model.name, `http://127.0.0.1:${port}`);
    runner.killed.addEventListener(
      'abort',
      () => {
        this.#statusUrls.delete(model.name);
        void closeServer(server);
      },
      { once: true },
    );
  }
}
