/** What stands in a folder at one moment, and how two such moments differ. Pure. */
import { z } from 'zod';
import type { CommandChanges } from '../../../protocol/changed-files.ts';
import { lazyObject } from '../../../protocol/lazy-object.ts';
import type { FileStat } from '../../../platform/files.ts';
import { foldersAbove } from '../../../rules/path-names.ts';

/** An entry that undo covers. */
export interface Entry {
  /** See `entry-state.ts`. */
  state: string;
  /** Permission bits; 0 where the system has none. */
  mode: number;
  /** The same for as long as nobody touches the entry. */
  stamp: string;
  changedMs: number;
  /** Its content can be had back. */
  isKept: boolean;
}

/** Paths are relative to the folder, with `/`. */
export interface Manifest {
  /** Unix milliseconds: nothing before it was missed. */
  at: number;
  entries: Map<string, Entry>;
  /** Places that undo does not cover, each with the stamps of what is in it; null = not looked into. */
  uncovered: Map<string, Map<string, string> | null>;
}

export interface EntryChange {
  path: string;
  before: Entry | null;
  after: Entry | null;
}

type UncoveredChange = CommandChanges['uncovered'][number];

export const stampOf = ({ identity, size, modifiedMs, changedMs }: FileStat): string =>
  `${identity} ${String(size)} ${String(modifiedMs)} ${String(changedMs)}`;

/** Disks tell times in steps: what changed this shortly before it was looked at may have changed again unseen. */
const stepMs = 50;

/** Whether what is known of an entry still holds without reading it again. */
export const isSettled = (known: Entry, stamp: string, knownAt: number): boolean =>
  known.stamp === stamp && known.changedMs < knownAt - stepMs;

/** The place that undo does not cover in which it lies; undefined = it lies in none. */
function placeOf(path: string, { uncovered }: Manifest): string | undefined {
  return [path, ...foldersAbove(path)].find((each) => uncovered.has(each));
}

/** It was there and not covered, or nobody looked: whatever it is by now, it is nothing new. */
function mayHaveBeen(path: string, manifest: Manifest): boolean {
  const place = placeOf(path, manifest);
  if (place === undefined) return false;
  const stamps = manifest.uncovered.get(place);
  return !stamps || stamps.has(path);
}

/** What undo covers, by path. */
export function changesBetween(before: Manifest, after: Manifest): EntryChange[] {
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  return [...paths]
    .map((path) => ({
      path,
      before: before.entries.get(path) ?? null,
      after: after.entries.get(path) ?? null,
    }))
    .filter(({ before: was, after: is }) => was?.state !== is?.state || was?.mode !== is?.mode)
    .filter(({ path, before: was, after: is }) => (was && is) || !mayHaveBeen(path, was ? after : before))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Places that undo does not cover where something is another now, or where that cannot be told. */
export function uncoveredBetween(before: Manifest, after: Manifest): UncoveredChange[] {
  const places = new Set([...before.uncovered.keys(), ...after.uncovered.keys()]);
  return [...places]
    .map((path) => ({ path, changed: changedIn(path, before, after) }))
    .filter(({ changed }) => changed !== 0)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Entries that are covered at the other moment count as well. */
function changedIn(place: string, before: Manifest, after: Manifest): number | null {
  const none = new Map<string, string>();
  const [was, is] = [before, after].map(({ uncovered }) =>
    uncovered.has(place) ? uncovered.get(place) : none,
  );
  if (!was || !is) return null;
  const paths = new Set([...was.keys(), ...is.keys()]);
  return [...paths].filter((path) => stampAt(path, before) !== stampAt(path, after)).length;
}

function stampAt(path: string, manifest: Manifest): string | undefined {
  const place = placeOf(path, manifest);
  const uncovered = place === undefined ? undefined : manifest.uncovered.get(place)?.get(path);
  return uncovered ?? manifest.entries.get(path)?.stamp;
}

const entrySchema = lazyObject(() => ({
  state: z.string(),
  mode: z.number(),
  stamp: z.string(),
  changedMs: z.number(),
  isKept: z.boolean(),
}));
const stampsSchema = z.array(z.tuple([z.string(), z.string()]));

export const manifestSchema = z
  .object({
    at: z.number(),
    entries: z.array(z.tuple([z.string(), entrySchema])),
    uncovered: z.array(z.tuple([z.string(), stampsSchema.nullable()])),
  })
  .transform(({ at, entries, uncovered }): Manifest => ({
    at,
    entries: new Map(entries),
    uncovered: new Map(uncovered.map(([path, stamps]) => [path, stamps && new Map(stamps)])),
  }));

/** As `manifestSchema` reads it. */
export const plainManifest = ({ at, entries, uncovered }: Manifest): z.input<typeof manifestSchema> => ({
  at,
  entries: [...entries],
  uncovered: [...uncovered].map(([path, stamps]) => [path, stamps && [...stamps]]),
});
