/** Todo list and notepad of one session: on disk before anybody hears of it (P2, 2.1). */
import { z } from 'zod';
import { todoSchema, type Todo } from '../../protocol/model.ts';
import type { FactStore } from '../store/fact-store.ts';
import type { SessionData } from '../tools/tool.ts';

export const scratchpadSchema = z.record(z.string(), z.string());

export function createSessionData(
  store: FactStore,
  sessionId: string,
  onTodo: (todo: Todo) => void,
  mustValidate: () => boolean,
): SessionData {
  return {
    todo: () => store.readSessionData(sessionId, 'todo', todoSchema) ?? { steps: [] },
    setTodo(todo) {
      store.writeSessionData(sessionId, 'todo', todo);
      onTodo(todo);
    },
    mustValidate,
    readScratchpad: () => store.readSessionData(sessionId, 'scratchpad', scratchpadSchema) ?? {},
    writeScratchpad: (sections) => store.writeSessionData(sessionId, 'scratchpad', sections),
  };
}
