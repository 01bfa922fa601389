import type { GpuSample } from '../../protocol/model.ts';

/** A GPU's figures without the moment they were taken. */
export type GpuReading = Omit<GpuSample, 'at'>;

/** Only name and size are known. */
export const nothingLive = {
  vramUsedBytes: null,
  utilization: null,
  temperatureC: null,
  powerW: null,
} satisfies Partial<GpuReading>;

/** Without what belongs to one moment: a card that does not answer now is still there. */
export function unknownNow({ name, vramTotalBytes }: GpuReading): GpuReading {
  return { name, vramTotalBytes, ...nothingLive };
}

/** Figures of a program's output: plain digits, or unknown. */
export function figure(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}
