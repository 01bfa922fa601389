/**
 * Closing a stream against a waiting line can cost a model its only slot: every later request then hangs without a byte,
 * while Ollama shows the model loaded and idle (traces, "what a client author must know" 1). Who closed knows the risk.
 */
import type { SlotWatch } from '../loop/deps.ts';

export function createSlotWatch(): SlotWatch {
  const suspects = new Set<string>();
  return {
    closedWhileLinesCame: (model) => void suspects.add(model),
    answered: (model) => void suspects.delete(model),
    suspect: (model) => suspects.has(model),
  };
}
