/** One connection's pull lines → what a person is told. Whatever the lines say, the figures make sense. */
import type { PullLine } from '../../ollama/library.ts';

export interface PullProgress {
  take(line: PullLine): void;
  phase(): 'pulling' | 'verifying';
  /** Over all layers known so far; never goes back, though Ollama throws failed chunks away. */
  completedBytes(): number;
  /** null = no layer is known yet. */
  totalBytes(): number | null;
  /** What has still to be written to the disk. */
  missingBytes(): number;
  /** Bytes that came over this connection, without those that lay on the disk before. */
  receivedBytes(): number;
  /** Over the last seconds; null = too early to say. */
  bytesPerSecond(): number | null;
}

interface Layer {
  total: number;
  /** As Ollama said it last, and the most that it ever said. */
  now: number;
  most: number;
}

interface Sample {
  at: number;
  received: number;
}

const windowMs = 5_000;
const minRateSpanMs = 500;
const sampleMs = 100;
/** A model has about ten. */
const maxLayers = 1_000;

/** @param monotonic milliseconds. */
export function createPullProgress(monotonic: () => number): PullProgress {
  const layers = new Map<string, Layer>();
  let samples: Sample[] = [];
  let received = 0;
  let verifying = false;

  const sum = (of: (layer: Layer) => number): number =>
    [...layers.values()].reduce((total, layer) => total + of(layer), 0);

  const takeLayer = (digest: string, total: number, completed: number): void => {
    const layer = layers.get(digest);
    if (!layer) {
      if (layers.size < maxLayers) layers.set(digest, { total, now: completed, most: completed });
      return;
    }
    received += Math.max(0, completed - layer.now);
    layer.total = Math.max(layer.total, total);
    layer.now = completed;
    layer.most = Math.max(layer.most, completed);
  };

  const sample = (): void => {
    const at = monotonic();
    const last = samples.at(-1);
    if (last && at - last.at < sampleMs) return;
    samples = [...samples.filter((each) => at - each.at <= windowMs), { at, received }];
  };

  return {
    take({ status, digest, total, completed = 0 }) {
      verifying = digest === undefined && (verifying || /^(?:verifying|writing|removing)\b/.test(status));
      if (digest === undefined || total === undefined) return;
      takeLayer(digest, total, Math.min(completed, total));
      sample();
    },
    phase: () => (verifying ? 'verifying' : 'pulling'),
    completedBytes: () => sum(({ most }) => most),
    totalBytes: () => (layers.size === 0 ? null : sum(({ total }) => total)),
    missingBytes: () => sum(({ total, now }) => total - now),
    receivedBytes: () => received,
    bytesPerSecond() {
      const now = monotonic();
      const first = samples.find((each) => now - each.at <= windowMs);
      if (!first) return samples.length === 0 ? null : 0;
      const spanMs = now - first.at;
      return spanMs < minRateSpanMs ? null : Math.round(((received - first.received) / spanMs) * 1_000);
    },
  };
}
