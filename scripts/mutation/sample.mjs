/**
 * Which mutants belong to a sample. Each mutant is given a number by its place, its replacement and the seed; those with
 * the smallest numbers are the sample. So a seed always names the same mutants, and an edit elsewhere changes none.
 */
import { createHash } from 'node:crypto';

/** @returns {string} a number of 16 hexadecimal digits, comparable as text. */
export function rank({ fileName, location, replacement, mutatorName }, seed) {
  const { start, end } = location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  const text = [seed, fileName.replaceAll('\\', '/'), place, mutatorName, replacement].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
