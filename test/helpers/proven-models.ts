/** What tests and benchmarks take for granted of their scripted models, which nobody asked first. */
import type { Ability } from '../../src/protocol/abilities.ts';
import type { ModelInfo } from '../../src/protocol/model.ts';
import { isExpected } from '../../src/rules/ability-scores.ts';
import { abilities } from '../../src/protocol/abilities.ts';

/** A scripted model below it stands for one that cannot call by itself. */
const minProvenParameters = 1_500_000_000;
const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

const isLarge = (parameterSize = ''): boolean => {
  const [, digits, unit] = /^([\d.]+)\s*([KMB])$/i.exec(parameterSize.trim()) ?? [];
  return !(Number(digits) * (units[unit?.toUpperCase() ?? ''] ?? NaN) <= minProvenParameters);
};

/** For `HostDeps.isProvenModel`. */
export const isProvenModel = ({ parameterSize }: Partial<Pick<ModelInfo, 'parameterSize'>>): boolean =>
  isLarge(parameterSize);

/** What a model of that size is relied on for where nothing else is said. */
export function provenAbilities(parameterSize: string): ReadonlySet<Ability> {
  return new Set(
    abilities.filter((each) => isExpected(each) || (isLarge(parameterSize) && each !== 'opens')),
  );
}
