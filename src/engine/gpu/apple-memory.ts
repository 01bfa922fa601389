/** How much of its main memory a Mac with Apple silicon lets its GPU take. */

const largeBytes = 36 * 1024 ** 3;

/** As Metal recommends it (docs/engine.md, Memory): Ollama takes no more for the whole of the GPU. */
export function metalBytes(mainMemoryBytes: number): number {
  const share = mainMemoryBytes > largeBytes ? 3 / 4 : 2 / 3;
  return Math.floor(mainMemoryBytes * share);
}
