/** How large a picture is shown. Pure. */

/** `fit` follows the window, and never enlarges; a number is a share of the picture's own size. */
export type Zoom = 'fit' | number;

const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8] as const;
const [smallest] = steps;
const largest = 8;
/** A notch of a wheel is about 100. */
const wheelForDouble = 400;

/** The next step above or below; what is already past the last one stays. */
export function stepped(scale: number, by: 1 | -1): number {
  // A picture that fits is rarely exactly on a step: a hardly visible one is skipped.
  if (by === 1) return steps.find((step) => step > scale * 1.02) ?? Math.max(scale, largest);
  return steps.findLast((step) => step < scale * 0.98) ?? Math.min(scale, smallest);
}

export function wheeled(scale: number, deltaY: number): number {
  const next = scale * 2 ** (-deltaY / wheelForDouble);
  return Math.min(Math.max(next, Math.min(scale, smallest)), largest);
}
