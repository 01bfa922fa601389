/** Which pieces of code and output have their long lines broken, by their place in the transcript. */
export type WrappedLines = Readonly<Record<string, boolean>>;

/** The newest choices; older ones are of pieces that are seldom seen again. */
const most = 200;

export function withWrapped(choices: WrappedLines, place: string, wrapped: boolean): WrappedLines {
  const { [place]: _old, ...others } = choices;
  return Object.fromEntries([...Object.entries(others).slice(1 - most), [place, wrapped]]);
}

/** Whatever was stored: what is not understood is as drawn. */
export function readWrapped(value: unknown): WrappedLines {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  return Object.fromEntries(entries.slice(-most));
}
