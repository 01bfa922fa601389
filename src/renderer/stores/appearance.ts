/** How this window looks to its person, beside the theme. Kept by the window: another screen may want another size. */

/** In steps of the type scale; `normal` is as drawn. */
export const textSizes = ['small', 'normal', 'large', 'largest'] as const;
export type TextSize = (typeof textSizes)[number];

/** `system` follows what the desktop asks of every program. */
export const motions = ['system', 'reduced'] as const;
export type Motion = (typeof motions)[number];

export interface Appearance {
  textSize: TextSize;
  motion: Motion;
  /** Long lines of code go on below instead of beyond the edge. */
  wrapCode: boolean;
}

export const defaultAppearance: Appearance = { textSize: 'normal', motion: 'system', wrapCode: false };

/** Whatever was stored, by whichever version: what is not understood is as drawn. */
export function readAppearance(raw: Partial<Record<keyof Appearance, unknown>>): Appearance {
  return {
    textSize: textSizes.find((size) => size === raw.textSize) ?? defaultAppearance.textSize,
    motion: motions.find((motion) => motion === raw.motion) ?? defaultAppearance.motion,
    wrapCode: typeof raw.wrapCode === 'boolean' ? raw.wrapCode : defaultAppearance.wrapCode,
  };
}
