/** What cost time and nobody asked for, newest first, in the engine's state. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { EngineState, Incident } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';

const maxKept = 50;

export type NewIncident = Omit<Incident, 'id' | 'at'>;

export interface Incidents {
  add(incident: NewIncident): void;
  /** The change that adds these, for a part that says more in the same event; nothing where there are none. */
  withNew(found: readonly NewIncident[]): Partial<Pick<EngineState, 'incidents'>>;
  handlers: Pick<Handlers<EngineMethods>, 'incident/wasted-warm-up' | 'incident/refused-grammar'>;
}

export function createIncidents(state: StateStore, facts: Facts, clock: Clock, newId: NewId): Incidents {
  const withNew: Incidents['withNew'] = (found) => {
    if (found.length === 0) return {};
    const added = found.map((incident) => ({ id: newId('incident_'), at: clock.now(), ...incident }));
    return { incidents: [...added.toReversed(), ...state.current().incidents].slice(0, maxKept) };
  };
  const add = (incident: NewIncident): void => state.update(withNew([incident]));
  facts.on('slot/recovered', ({ model, tookMs }) => add(slotLost(model, tookMs)));

  return {
    add,
    withNew,
    handlers: {
      'incident/wasted-warm-up'({ model, tokens, costMs }) {
        add(wastedWarmUp(model, tokens, costMs));
        return {};
      },
      'incident/refused-grammar'({ model, words }) {
        add(refusedGrammar(model, words));
        return {};
      },
    },
  };
}

/** Closing a stream against a waiting line can cost a model its only slot (docs/engine.md, Cancelling). */
function slotLost(model: string, tookMs: number): NewIncident {
  return {
    kind: 'slot_lost',
    model,
    message: `Ollama lost the slot of ${model} when an answer was stopped; it was reloaded.`,
    advice: '',
    costMs: tookMs,
  };
}

/** The step was asked again with less of a grammar, so nothing is lost but the request. */
function refusedGrammar(model: string, words: string): NewIncident {
  return { kind: 'refused_grammar', model, message: words, advice: '', costMs: null };
}

/** Tokens that were evaluated while nobody waited, and read again when somebody did. */
export function wastedWarmUp(model: string, tokens: number, costMs: number | null): NewIncident {
  return {
    kind: 'wasted_warm_up',
    model,
    message: `${String(tokens)} tokens were preloaded for ${model}, and its next message re-read them.`,
    advice: 'There is nothing to do. Andiron has turned this off.',
    costMs,
  };
}
