import type { EngineState } from '../../protocol/model.ts';
import { useAnswer } from './use-answer.ts';

/** By model: how much is free on the disk that has no room for it. Asked again when something came, went, or began. */
export function useLackingRoom(
  models: readonly string[],
  engine: Pick<EngineState, 'models' | 'pulls'> | null,
): ReadonlyMap<string, number> {
  const kept = engine?.models.map(({ name }) => name).join() ?? '';
  const pulls = engine?.pulls.map(({ model, phase }) => `${model} ${phase}`).join() ?? '';
  const key = models.length === 0 || engine === null ? null : `room:${models.join()}:${kept}:${pulls}`;
  const { value } = useAnswer(key, (ask) => ask.lackingRoom([...models]));
  return new Map(value?.map(({ model, freeBytes }) => [model, freeBytes]));
}
