/**
 * How fast a model will most likely write on a GPU that nobody has tried it on: each token reads all weights that take part
 * in it once, so memory bandwidth decides. A prediction, worded as "about"; where the card is not known, so is the speed.
 */
import type { GpuSample } from '../../../protocol/model.ts';
import type { CatalogueModel } from './catalogue.ts';

/** GB/s by the makers' data sheets; a name that contains another stands before it. */
const bandwidths: readonly (readonly [name: RegExp, gigabytesPerSecond: number])[] = [
  [/\b5090\b/, 1_792],
  [/\b5080\b/, 960],
  [/\b5070 Ti\b/i, 896],
  [/\b5070\b/, 672],
  [/\b5060( Ti)?\b/i, 448],
  [/\b4090\b/, 1_008],
  [/\b4080 SUPER\b/i, 736],
  [/\b4080\b/, 717],
  [/\b4070 Ti SUPER\b/i, 672],
  [/\b4070\b/, 504],
  [/\b4060 Ti\b/i, 288],
  [/\b4060\b/, 272],
  [/\b3090 Ti\b/i, 1_008],
  [/\b3090\b/, 936],
  [/\b3080 Ti\b/i, 912],
  [/\b3080\b/, 760],
  [/\b3070 Ti\b/i, 608],
  [/\b3070\b/, 448],
  [/\b3060 Ti\b/i, 448],
  [/\bRTX 3060\b/i, 360],
  [/\b2080 Ti\b/i, 616],
  [/\b20[78]0\b/, 448],
  [/\bH200\b/, 4_800],
  [/\bH100 PCIe\b/i, 2_000],
  [/\bH100\b/, 3_350],
  [/\bL40S?\b/, 864],
  [/\bL4\b/, 300],
  [/\bRTX 6000 Ada\b/i, 960],
  [/\bRTX A[56]000\b/i, 768],
  [/\b7900 XTX\b/i, 960],
  [/\b7900 XT\b/i, 800],
  [/\b7800 XT\b/i, 624],
  [/\b9070( XT)?\b/i, 640],
  [/\bM[123] Ultra\b/i, 800],
  [/\bM4 Pro\b/i, 273],
  [/\bM2 Pro\b|\bM1 Pro\b/i, 200],
  [/\bM3 Pro\b/i, 150],
];

/** What of the bandwidth is reached, and what each token takes besides: by published figures of 9B to 27B models. */
const reached = 0.68;
const besideMs = 2.5;

/** Tokens per second; null = unknown: another card, several of them, a laptop's, or a model of unknown size. */
export function writingSpeed(
  { downloadGB, activeShare = 1 }: CatalogueModel,
  gpus: readonly Pick<GpuSample, 'name'>[],
): number | null {
  const [gpu, ...others] = gpus;
  // A laptop's card has the name of its larger sibling and another memory.
  if (!gpu || others.length > 0 || downloadGB === null || /laptop|mobile|max-q/i.test(gpu.name)) return null;
  const bandwidth = bandwidths.find(([name]) => name.test(gpu.name))?.[1];
  if (bandwidth === undefined) return null;
  const perTokenMs = besideMs + (downloadGB * activeShare * 1_000) / (bandwidth * reached);
  return rounded(1_000 / perTokenMs);
}

/** Two digits are more than a prediction can promise. */
function rounded(value: number): number {
  const step = value >= 100 ? 10 : value >= 20 ? 5 : 1;
  return Math.max(1, Math.round(value / step) * step);
}
