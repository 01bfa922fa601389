/**
 * One provider in front of many: the first candidate that can answer does, and the answer says who it was (F9, N3). One that
 * failed lately is asked behind the others.
 */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { modelName, splitModelName } from '../../rules/model-names.ts';
import type { ModelCandidate, ModelRequest, Provider, ReplyEvent } from './provider.ts';
import {
  entryOf,
  classifyFailure,
  activeEntries,
  nextOf,
  withEntry,
  withoutAnswerer,
  withoutHost,
  type BreakerEntry,
} from './router-policy.ts';

export interface RouterHost {
  /** How a person knows it. */
  name: string;
  provider: Provider;
  /** Where it answers; left out = where the request says, as for the engine's lease. */
  url?: string | undefined;
  /** Somebody else watches it and waits for it (the engine): it is asked every time, whatever it did before. */
  supervised?: boolean | undefined;
}

export interface RouterDeps {
  /** By id. Read anew for every request, so that hosts may come and go. */
  providers: ReadonlyMap<string, RouterHost>;
  /** Also of those that are gone: their models are nobody else's. Left out = those of the providers. */
  ids?: ReadonlySet<string>;
  clock: Clock;
  /** Something was left aside, or is so no more. */
  onChange?: (() => void) | undefined;
}

export interface Router extends Provider {
  /** What is asked behind the others now, and until when. */
  states(): BreakerEntry[];
  /** Asks this host in its place from now on. */
  retry(host: string): void;
}

interface Failure {
  hostName: string;
  error: AndironError;
}

export function createRouter({ providers, ids, clock, onChange }: RouterDeps): Router {
  let entries: BreakerEntry[] = [];
  const setEntries = (next: BreakerEntry[]): void => {
    entries = next;
    onChange?.();
  };
  const noteAnswer = (candidate: ModelCandidate): void => {
    if (entryOf(entries, candidate, clock.now())) setEntries(withoutAnswerer(entries, candidate));
  };

  return {
    async *stream(request, signal) {
      const wanted = candidatesOf(request, ids ?? new Set(providers.keys()));
      const failures = new Map<ModelCandidate, Failure>();
      let left = wanted;
      for (;;) {
        const candidate = nextOf(left, entries, clock.now());
        if (!candidate) break;
        left = left.filter((each) => each !== candidate);
        const host = providers.get(candidate.host);
        if (!host) {
          failures.set(candidate, { hostName: candidate.host, error: unknownHost(candidate.host) });
          continue;
        }
        let begun = false;
        try {
          for await (const event of host.provider.stream(addressed(request, candidate, host), signal)) {
            if (!begun) noteAnswer(candidate);
            begun = true;
            yield named(event, candidate);
          }
          return;
        } catch (error) {
          const blame = classifyFailure(error);
          if (begun || signal.aborted || blame === 'final' || !(error instanceof AndironError)) throw error;
          failures.set(candidate, { hostName: host.name, error });
          // What its other models would say is known.
          if (blame === 'host') left = left.filter((each) => each.host !== candidate.host);
          if (!host.supervised) setEntries(withEntry(entries, candidate, error, clock.now()));
        }
      }
      throw nobodyAnswers(wanted.flatMap((candidate) => failures.get(candidate) ?? []));
    },

    states: () => activeEntries(entries, clock.now()),
    retry: (host) => setEntries(withoutHost(entries, host)),
  };
}

/** Without a list the name alone says who is meant. */
function candidatesOf(
  { candidates, model }: ModelRequest,
  ids: ReadonlySet<string>,
): readonly ModelCandidate[] {
  return candidates ?? [splitModelName(model, ids)];
}

function addressed(request: ModelRequest, candidate: ModelCandidate, host: RouterHost): ModelRequest {
  const { model, history = request.history } = candidate;
  return { ...request, url: host.url ?? request.url, model, history, plan: { ...request.plan, model } };
}

function named(event: ReplyEvent, { host, model }: ModelCandidate): ReplyEvent {
  if (event.type !== 'opened' && event.type !== 'done') return event;
  const asked = modelName(host, model);
  const answered = event.model === undefined ? asked : modelName(host, event.model);
  return { ...event, model: answered, ...(event.type === 'done' && answered !== asked && { asked }) };
}

/** What the first of them said counts: it is the one that was wanted. The others are told with it. */
function nobodyAnswers(failures: readonly Failure[]): AndironError {
  const [first, ...others] = failures;
  if (!first) return new AndironError('engine_unavailable', 'No host may answer.', 'Choose a model.');
  if (others.length === 0) return first.error;
  const { code, advice } = first.error;
  const message = failures.map(describe).join(' ');
  return new AndironError(code, message, advice, { cause: first.error });
}

function describe({ hostName, error: { message } }: Failure): string {
  return message.includes(hostName) ? message : `${hostName}: ${message}`;
}

function unknownHost(id: string): AndironError {
  return new AndironError(
    'engine_unavailable',
    `There is no model server ${id} any more.`,
    'Add it in Settings, Engine, or choose another model.',
  );
}
