/**
 * All tasks of a seed. Some people's words were written by hand before any loop was tried on them; the others are put
 * together by rules, in ten languages, so that no loop can be fitted to sentences. A third of all is drawn freely.
 */
import { Chance } from '../prefix/chance.ts';
import { doingScenarios } from './doing-scenarios.ts';
import { doingTasks } from './doing-tasks.ts';
import { Draw } from './draw.ts';
import { english, foreignLanguages, languages } from './languages/index.ts';
import type { Language } from './languages/language.ts';
import { lookingScenarios } from './looking-scenarios.ts';
import { lookingTasks } from './looking-tasks.ts';
import type { Scenario } from './scenario.ts';
import { Scene } from './scene.ts';
import { stepScenarios } from './step-scenarios.ts';
import { stillScenarios } from './still-scenarios.ts';
import { kinds, type Source, type Task, type TaskKind } from './task.ts';

export const scenarios: readonly Scenario[] = [
  ...lookingScenarios,
  ...doingScenarios,
  ...stepScenarios,
  ...stillScenarios,
];

const freeTasks = 46;

/** Of the fixed ones in English, beside those that are kept. */
const englishKinds: readonly TaskKind[] = [
  ...(['compute', 'compute', 'compute', 'edit', 'write'] as const),
  ...(['restraint', 'restraint', 'restraint', 'restraint'] as const),
  ...(['impossible', 'impossible', 'impossible', 'impossible', 'three steps'] as const),
];

const foreignEach = 4;

/** A seed for each task of each seed. */
const seedStep = 1000;

interface Plan {
  id: string;
  kind: TaskKind;
  language: string;
  source: Source;
  make(): ReturnType<Scenario['make']>;
}

export interface Selection {
  only: string | undefined;
  /** Empty = all. */
  kinds: readonly string[];
  /** By code; empty = all. */
  languages: readonly string[];
  /** So many of them, drawn by the seed. */
  draw: number | undefined;
}

export const everything: Selection = { only: undefined, kinds: [], languages: [], draw: undefined };

/** A task has the same names and figures whichever others are made with it. Throws where nothing is selected. */
export function makeTasks(seed: number, { only, draw, ...wanted }: Selection): Task[] {
  const plans = plansOf(seed);
  const selected = plans.filter(
    ({ id, kind, language }) =>
      (only === undefined || id === only) &&
      (wanted.kinds.length === 0 || wanted.kinds.includes(kind)) &&
      (wanted.languages.length === 0 || wanted.languages.includes(language)),
  );
  if (selected.length === 0) throw new Error(nothingSelected(plans));
  return drawn(selected, draw, seed).map(({ id, kind, language, source, ...plan }) => ({
    id,
    kind,
    language,
    source,
    ...plan.make(),
  }));
}

function nothingSelected(plans: readonly Plan[]): string {
  const codes = languages.map(({ code }) => code).join(', ');
  return `No task is selected. Kinds: ${kinds.join(', ')}. Languages: ${codes}. Tasks: ${plans.map(({ id }) => id).join(', ')}.`;
}

function drawn(plans: readonly Plan[], count: number | undefined, seed: number): Plan[] {
  if (count === undefined) return [...plans];
  const chosen = new Set(new Draw(seed).shuffled(plans).slice(0, count));
  return plans.filter((plan) => chosen.has(plan));
}

function plansOf(seed: number): Plan[] {
  const kept = [...lookingTasks, ...doingTasks].map(({ id, kind, ...maker }, at): Plan => ({
    id,
    kind,
    language: english.code,
    source: 'kept',
    make: () => maker.make(new Draw(seed * seedStep + at)),
  }));
  const fixed = fixedScenarios().map(({ scenario, language }, at) =>
    planOf(
      'fixed',
      `${language.code}-${scenario.id}`,
      scenario,
      language,
      seed * seedStep + kept.length + at,
    ),
  );
  const free = Array.from({ length: freeTasks }, (_, at) => {
    const ownSeed = seed * seedStep + kept.length + fixed.length + at;
    const chance = new Chance(ownSeed);
    const kind = chance.pick(kinds);
    const language = chance.below(2) === 0 ? english : chance.pick(foreignLanguages);
    const scenario = chance.pick(scenarios.filter((each) => each.kind === kind));
    // The names are drawn from another place than the situation, else each would go with its own.
    return planOf('free', `free-${String(at + 1).padStart(2, '0')}`, scenario, language, -ownSeed);
  });
  return [...kept, ...fixed, ...free];
}

function planOf(source: Source, id: string, scenario: Scenario, language: Language, seed: number): Plan {
  return {
    id,
    kind: scenario.kind,
    language: language.code,
    source,
    make: () => scenario.make(new Scene(new Draw(seed), language)),
  };
}

/** The same for every seed: each scenario in turn, and every kind in several languages. */
function fixedScenarios(): { scenario: Scenario; language: Language }[] {
  const next = new Map<TaskKind, number>();
  const turn = (kind: TaskKind): Scenario => {
    const all = scenarios.filter((each) => each.kind === kind);
    const at = next.get(kind) ?? 0;
    next.set(kind, at + 1);
    const scenario = all[at % all.length];
    if (scenario === undefined) throw new Error(`There is no scenario of the kind ${kind}.`);
    return scenario;
  };
  const inEnglish = englishKinds.map((kind) => ({ scenario: turn(kind), language: english }));
  const foreign = foreignLanguages.flatMap((language, at) =>
    Array.from({ length: foreignEach }, (_, which) => {
      const kind = kinds[(at * foreignEach + which) % kinds.length];
      return { scenario: turn(kind ?? 'read'), language };
    }),
  );
  return [...inEnglish, ...foreign];
}
