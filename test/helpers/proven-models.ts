/** What tests and benchmarks take for granted of their scripted models, which nobody asked first. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Toolsets } from '../../src/host/loop/deps.ts';
import { databaseFile, openStore } from '../../src/host/store/store.ts';
import { randomId } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { abilities, type Ability } from '../../src/protocol/abilities.ts';
import type { ModelInfo } from '../../src/protocol/model.ts';
import { isExpected, maxEvidence } from '../../src/rules/ability-scores.ts';
import { beginDatabase } from './fresh-database.ts';

/** A scripted model below it stands for one that cannot call by itself. */
const minProvenParameters = 1_500_000_000;
const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

const isLarge = (parameterSize = ''): boolean => {
  const [, digits, unit] = /^([\d.]+)\s*([KMB])$/i.exec(parameterSize.trim()) ?? [];
  return !(Number(digits) * (units[unit?.toUpperCase() ?? ''] ?? NaN) <= minProvenParameters);
};

/** For `HostDeps.knownAbilities`. */
export const knownAbilities = ({
  parameterSize,
}: Partial<Pick<ModelInfo, 'parameterSize'>>): ReadonlySet<Ability> => provenAbilities(parameterSize);

/** A scripted model opens its turns and answers as its script goes on. */
const everyModels = (each: Ability): boolean => isExpected(each) || each === 'opens' || each === 'picks';

/** What a model of that size is relied on for where nothing else is said. */
export function provenAbilities(parameterSize?: string): ReadonlySet<Ability> {
  return new Set(abilities.filter((each) => everyModels(each) || isLarge(parameterSize)));
}

/** The same of models that cannot say what they are about to do, but plan: nothing leads them through a turn. */
export const abilitiesWithoutOpening = (model: Parameters<typeof knownAbilities>[0]): ReadonlySet<Ability> =>
  withoutOpening(knownAbilities(model));

export function withoutOpening(known: ReadonlySet<Ability>): ReadonlySet<Ability> {
  return new Set<Ability>(['planning', ...[...known].filter((ability) => ability !== 'opens')]);
}

/** A head with all of its tools, for every model. */
export const allTools: Toolsets = { of: () => 'full', keep: () => undefined };

const tagsSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), digest: z.string(), details: z.object({ parameter_size: z.string() }) }),
  ),
});

/**
 * The same for an app that a test starts as a process: before its data folder is made, the evidence for the models of
 * the engine that it is told of is written there. An engine that does not answer has no models.
 */
export async function proveModels(args: readonly string[]): Promise<void> {
  const valueOf = (option: string): string | undefined =>
    args.findLast((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
  const [dataDir, url] = [valueOf('data-dir'), valueOf('engine-url')];
  if (dataDir === undefined || url === undefined || existsSync(join(dataDir, databaseFile))) return;
  const { models, version } = await modelsAt(url);
  if (models.length === 0) return;
  beginDatabase(dataDir);
  const store = openStore({ dataDir, log: silentLog, newId: randomId });
  const at = Date.now();
  for (const { digest, details } of models) {
    const proven = provenAbilities(details.parameter_size);
    for (const ability of abilities) {
      const held = proven.has(ability);
      const counts = { good: held ? maxEvidence : 0, bad: held ? 0 : maxEvidence };
      const engine = isExpected(ability) ? `ollama ${version}` : '';
      store.writeEvidence({ digest, engine, ability }, { ...counts, held, at });
    }
  }
  store.close();
}

const versionSchema = z.object({ version: z.string() });

async function modelsAt(url: string): Promise<z.infer<typeof tagsSchema> & z.infer<typeof versionSchema>> {
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5_000) })).json();
  try {
    return { ...tagsSchema.parse(await get('/api/tags')), ...versionSchema.parse(await get('/api/version')) };
  } catch {
    return { models: [], version: '' };
  }
}
