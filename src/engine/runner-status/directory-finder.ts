/** Where the simulated engine's runners are: it runs in a process of its own, and tells by a directory. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { RunnerFinder } from './find-runner.ts';
import { getOnce, type HttpGet } from './runner-slots.ts';

const answerSchema = z.object({ url: z.string() });
const answerMs = 2_000;

/** @param directoryUrl the simulator's `runnersUrl`. Rejects when the simulator is gone. */
export function createDirectoryFinder(directoryUrl: string, get: HttpGet = getOnce): RunnerFinder {
  return async ({ model }) => {
    const question = new URL(directoryUrl);
    question.searchParams.set('model', model);
    const { status, body } = await get(question.href, AbortSignal.timeout(answerMs));
    if (status !== 200) return null;
    const { port } = new URL(answerSchema.parse(parseJson(body)).url);
    return { port: Number(port), pid: null };
  };
}
