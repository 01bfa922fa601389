/** Windows worth choosing among, in tokens: doubling, with one step between. */
const steps = [
  2048, 4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768, 49_152, 65_536, 98_304, 131_072, 196_608, 262_144,
];

/** Up to what the model was trained for; the window in force is always among them. */
export function windowSteps(trained: number | null, current: number | null): number[] {
  const most = trained ?? 131_072;
  const offered = new Set(steps.filter((tokens) => tokens <= most));
  if (trained !== null && trained >= 2048) offered.add(trained);
  if (current !== null) offered.add(current);
  return [...offered].toSorted((a, b) => a - b);
}
