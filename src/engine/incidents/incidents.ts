/** What cost time and nobody asked for, newest first, in the engine's state. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Incident } from '../../protocol/model.ts';
import type { StateStore } from '../base/state.ts';

const most = 50;

export interface Incidents {
  add(incident: Omit<Incident, 'id' | 'at'>): void;
}

export function createIncidents(state: StateStore, clock: Clock, newId: NewId): Incidents {
  return {
    add(incident) {
      const told: Incident = { id: newId('incident_'), at: clock.now(), ...incident };
      state.update({ incidents: [told, ...state.current().incidents].slice(0, most) });
    },
  };
}

/** Closing a stream against a waiting line can cost a model its only slot (docs/engine.md, Cancelling). */
export function slotLost(model: string, tookMs: number): Omit<Incident, 'id' | 'at'> {
  return {
    kind: 'slot_lost',
    model,
    message: `Ollama lost the slot of ${model} when an answer was stopped; it was loaded anew.`,
    advice: '',
    costMs: tookMs,
  };
}

/** The step was asked again with less of a grammar, so nothing is lost but the request. */
export function refusedGrammar(model: string, words: string): Omit<Incident, 'id' | 'at'> {
  return { kind: 'refused_grammar', model, message: words, advice: '', costMs: null };
}

/** Tokens that were evaluated while nobody waited, and read again when somebody did. */
export function wastedWarmUp(
  model: string,
  tokens: number,
  costMs: number | null,
): Omit<Incident, 'id' | 'at'> {
  return {
    kind: 'wasted_warm_up',
    model,
    message: `${String(tokens)} tokens were prepared for ${model}, and its next message read them again.`,
    advice: 'Nothing to do: this kind of preparation is left out until a trial shows that it helps.',
    costMs,
  };
}
