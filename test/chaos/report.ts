/** Gates and tables of every chaos campaign. */

export interface PartOptions {
  seed: number;
  /** Under two minutes together. */
  quick: boolean;
}

export interface Part {
  table: string;
  figures: Record<string, number>;
  gates: Gate[];
  /** The first few, in words. */
  problems: readonly string[];
}

export interface Gate {
  figure: string;
  value: number;
  most: number;
}

/** NaN holds nothing. */
export const holds = ({ value, most }: Gate): boolean => value <= most;

export const gateLines = (gates: readonly Gate[]): string =>
  gates
    .map(
      (gate) =>
        `${holds(gate) ? 'ok  ' : 'FAIL'} ${gate.figure} ${String(gate.value)}, at most ${String(gate.most)}`,
    )
    .join('\n');
