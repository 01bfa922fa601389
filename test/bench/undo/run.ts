/** Turns of tools and commands in one folder, what the person does beside them, and whether each way back leads back. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UndoWorld } from '../../../src/host/file-changes/points/testing.ts';
import type { UndoOutcome } from '../../../src/protocol/changed-files.ts';
import { drawAction, drawOutside, type Draw } from './actions.ts';

type Tree = Readonly<Record<string, string>>;

export interface UndoFigures {
  turns: number;
  commands: number;
  /** Entries that the turns changed. */
  changed: number;
  /** Ways back that were said to have been gone, and those that led where they should. */
  promised: number;
  restored: number;
  /** Entries of the person that an undo or redo changed. */
  overwroteOutside: number;
  /** Entries that are others after a turn, and are neither listed nor counted. */
  unsaid: number;
  /** Refused though nobody else was at it, and nothing was too large. */
  refusedWithoutCause: number;
  /** What the window said of a way back before it was gone, and was not so. */
  mistold: number;
  /** By their reasons. */
  refused: Record<string, number>;
}

/** What the person changed: contents, and permissions alone, which an undo leaves them. */
interface Outside {
  now: Tree;
  paths: string[];
  modes: string[];
}

/** Reasons that need nobody else. */
const ownReasons = new Set(['too_large', 'not_kept']);

export class UndoRun {
  readonly figures: UndoFigures = {
    turns: 0,
    commands: 0,
    changed: 0,
    promised: 0,
    restored: 0,
    overwroteOutside: 0,
    unsaid: 0,
    refusedWithoutCause: 0,
    mistold: 0,
    refused: {},
  };
  readonly #world: UndoWorld;
  readonly #draw: Draw;
  readonly #tell: (what: string) => void;
  /** What stood at each path before the session, or as the person left it last. */
  readonly #base = new Map<string, string | undefined>();
  /** Paths that changed where they were not covered: how far an undo of all goes there, nobody has promised. */
  readonly #unsure = new Set<string>();
  /** Paths at which somebody else was since the session, as it had left them. */
  readonly #disturbed = new Map<string, Record<'left' | 'base', string | undefined>>();

  constructor(world: UndoWorld, draw: Draw, tell: (what: string) => void) {
    this.#world = world;
    this.#draw = draw;
    this.#tell = tell;
  }

  /** A folder as people have them, with a file outside that sets dates back. */
  prepare(): void {
    const { workspace, root } = this.#world.bench;
    for (const folder of ['src/deep/er', 'docs', 'empty', 'build', 'sp ace'])
      mkdirSync(join(workspace, folder), { recursive: true });
    for (const path of [
      'b.txt',
      'src/a',
      'src/notes',
      'src/deep/b.txt',
      'docs/ü.txt',
      'build/notes',
      "docs/it's",
    ])
      writeFileSync(join(workspace, path), `${path}\nsecond line\n`);
    writeFileSync(join(workspace, '.gitignore'), 'build/\n*.log\n');
    writeFileSync(join(root, 'ref'), '');
    mkdirSync(join(root, 'outside'));
  }

  async turn(index: number): Promise<void> {
    const { figures } = this;
    const turnId = `t${String(index)}`;
    const before = this.#world.tree();
    const places = new Set<string>();
    const done: string[] = [];
    for (let left = this.#draw.between(1, 3); left > 0; left -= 1) done.push(await this.#act(turnId, places));
    const after = this.#world.tree();
    const changed = differing(before, after);
    figures.turns += 1;
    figures.changed += changed.length;
    const said = this.#recorded(turnId);
    for (const path of said) this.#disturbed.delete(path);
    const isCounted = (path: string): boolean => [...places].some((place) => isIn(place, path));
    // What was removed where that was not covered, and made again, is as it was, and yet goes with the turn.
    for (const path of [...changed, ...said]) if (isCounted(path)) this.#unsure.add(path);
    for (const path of changed) {
      if (said.has(path) || isCounted(path)) continue;
      figures.unsaid += 1;
      this.#tell(
        `unsaid in ${turnId}: ${path} (${before[path] ?? 'nothing'} | ${after[path] ?? 'nothing'})\n${done.join('\n')}`,
      );
    }
    const outside = this.#draw.isOneIn(3) ? this.#outside(after) : { now: after, paths: [], modes: [] };
    if (this.#draw.isOneIn(12)) await this.#backToBase(outside);
    else if (!this.#draw.isOneIn(3)) await this.#backAndForth(turnId, before, places, outside, done);
  }

  async #act(turnId: string, places: Set<string>): Promise<string> {
    const action = drawAction(this.#draw);
    if (action.tool === 'write_file') {
      await this.#world.call('read_file', { path: action.args.path }, turnId);
      await this.#world.call('write_file', action.args, turnId);
      return `write ${action.args.path}`;
    }
    this.figures.commands += 1;
    const changes = await this.#world.run(action.args.command, turnId);
    if (!changes) throw new Error(`What a command changed could not be told: ${action.args.command}`);
    for (const { path } of changes.uncovered) places.add(path);
    return action.args.command;
  }

  #recorded(turnId: string): Set<string> {
    const steps = this.#world.store.fileSteps('s').filter((step) => step.turnId === turnId);
    return new Set(steps.map(({ shown }) => shown));
  }

  /** Somebody else was at it: as far back as there, unless they have put it back as it was left. */
  #disturb(path: string, before: string | undefined, now: string | undefined): void {
    const first = this.#disturbed.get(path) ?? { left: before, base: this.#base.get(path) };
    this.#disturbed.set(path, first);
    const isBack = now === first.left;
    this.#base.set(
      path,
      isBack ? first.base : modeAlone(before, now) ? withMode(now, this.#base.get(path)) : now,
    );
  }

  #outside(tree: Tree): Outside {
    spawnSync('sh', ['-c', drawOutside(this.#draw)], { cwd: this.#world.bench.workspace });
    const now = this.#world.tree();
    const paths = differing(tree, now);
    for (const path of paths) this.#disturb(path, tree[path], now[path]);
    const modes = paths.filter((path) => modeAlone(tree[path], now[path]));
    return { now, paths: paths.filter((path) => !modes.includes(path)), modes };
  }

  async #backAndForth(
    turnId: string,
    before: Tree,
    places: ReadonlySet<string>,
    outside: Outside,
    done: readonly string[],
  ): Promise<void> {
    const told = await this.#world.changes.ofTurn('s', [...this.#recorded(turnId)], turnId);
    const undone = await this.#world.changes.undo('s', undefined, turnId);
    this.#judgeTold(told, undone, turnId);
    const back = this.#world.tree();
    const why = done.join('\n');
    // What changed where it was not covered, in the same turn, is no part of what was promised.
    const isPart = (path: string): boolean => ![...places].some((place) => isIn(place, path));
    this.#judge(
      undone.filter(({ path }) => isPart(path)),
      back,
      (path) => (outside.modes.includes(path) ? withMode(outside.now[path], before[path]) : before[path]),
      `undo of ${turnId}\n${why}`,
    );
    this.#judgeRefused(
      undone,
      back,
      [...outside.paths, ...outside.modes, ...places],
      `undo of ${turnId}\n${why}`,
    );
    this.#judgeOutside(outside, back, turnId);
    if (this.#draw.isOneIn(2)) return;
    const redone = await this.#world.changes.redo('s', undefined, turnId);
    const forth = this.#world.tree();
    this.#judge(redone, forth, (path) => outside.now[path], `redo of ${turnId}\n${why}`);
    this.#judgeOutside(outside, forth, turnId);
  }

  async #backToBase(outside: Outside): Promise<void> {
    const first = this.#world.store.fileSteps('s');
    const gone = new Set(first.filter((step) => isGoneAfter(step, first)).map(({ shown }) => shown));
    const undone = await this.#world.changes.undo('s');
    const back = this.#world.tree();
    const known = new Set(first.map(({ shown }) => shown).filter((path) => !this.#unsure.has(path)));
    const base = (path: string): string | undefined => (known.has(path) ? this.#base.get(path) : back[path]);
    this.#judge(undone, back, base, 'undo of the session');
    // The session had removed it as well, where that was covered.
    const paths = outside.paths.filter((path) => !(outside.now[path] === undefined && gone.has(path)));
    this.#judgeOutside({ ...outside, paths }, back, 'the session');
  }

  /** What was said to have been done stands as it should. */
  #judge(
    outcomes: readonly UndoOutcome[],
    tree: Tree,
    wanted: (path: string) => string | undefined,
    what: string,
  ): void {
    for (const { path, refused } of outcomes) {
      if (refused !== null) continue;
      this.figures.promised += 1;
      this.#disturbed.delete(path);
      // A folder that was made again for what the person has in it.
      const isNeeded = wanted(path) === undefined && isFull(tree, path);
      if (tree[path] === wanted(path) || isNeeded) this.figures.restored += 1;
      else
        this.#tell(
          `not restored: ${path}\n  is ${String(tree[path])}\n  not ${String(wanted(path))}\n  ${this.#story(path)}\n${what}`,
        );
    }
  }

  /** What the record says of a path, for whoever looks into a failure. */
  #story(path: string): string {
    const steps = this.#world.store.fileSteps('s').filter(({ shown }) => shown === path);
    return steps
      .map(({ id, turnId, kind, undoes, before, after }) =>
        [id, turnId, kind, undoes, before?.slice(0, 6), after?.slice(0, 6)].join(' '),
      )
      .join('\n  ');
  }

  #judgeRefused(
    outcomes: readonly UndoOutcome[],
    tree: Tree,
    outside: readonly string[],
    what: string,
  ): void {
    const left = outcomes.filter((outcome) => outcome.refused !== null);
    for (const { path, refused, detail } of left) {
      if (refused === null) continue;
      this.figures.refused[refused] = (this.figures.refused[refused] ?? 0) + 1;
      const isOthers = outside.some((other) => isIn(path, other) || isIn(other, path));
      // A folder in which something stands that undo does not cover, or that was left as it is.
      // Or what stands in the place of its folder was left.
      const isBelow = left.some((other) => other.path !== path && isIn(other.path, path));
      if (ownReasons.has(refused) || isOthers || isBelow || isFull(tree, path)) continue;
      this.figures.refusedWithoutCause += 1;
      this.#tell(`refused: ${path}: ${refused} ${detail}\n  ${this.#story(path)}\n${what}`);
    }
  }

  #judgeTold(told: readonly UndoOutcome[], undone: readonly UndoOutcome[], turnId: string): void {
    const before = new Map(told.map(({ path, refused }) => [path, refused]));
    for (const { path, refused, detail } of undone) {
      if (before.get(path) === refused) continue;
      this.figures.mistold += 1;
      this.#tell(
        `mistold: ${path} in ${turnId}: ${String(before.get(path))}, then ${String(refused)} ${detail}`,
      );
    }
  }

  #judgeOutside({ now, paths, modes }: Outside, tree: Tree, what: string): void {
    for (const path of modes) {
      if (tree[path] === undefined || tree[path].slice(0, 3) === now[path]?.slice(0, 3)) continue;
      this.figures.overwroteOutside += 1;
      this.#tell(`permissions: ${path} in ${what}\n  was ${String(now[path])}\n  is ${tree[path]}`);
    }
    for (const path of paths) {
      // A folder that is made again for what lies in it takes nothing away.
      if (tree[path] === now[path] || (now[path] === undefined && tree[path]?.endsWith('folder'))) continue;
      this.figures.overwroteOutside += 1;
      this.#tell(`overwrote: ${path} in ${what}\n  was ${String(now[path])}\n  is ${String(tree[path])}`);
    }
  }

  /** What stands there before the session. */
  begin(): void {
    for (const [path, state] of Object.entries(this.#world.tree())) this.#base.set(path, state);
  }
}

type Steps = ReturnType<UndoWorld['store']['fileSteps']>;
const isGoneAfter = (step: Steps[number], all: Steps): boolean =>
  all.findLast(({ path }) => path === step.path)?.after === null;

const isFull = (tree: Tree, path: string): boolean =>
  !!tree[path]?.endsWith('folder') && Object.keys(tree).some((other) => other.startsWith(`${path}/`));

/** Permissions are apart from what a file has in it. */
const modeAlone = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && now !== undefined && before.slice(3) === now.slice(3);
/** What becomes a folder, or was one, has the bits that it had. */
const withMode = (mode: string | undefined, state: string | undefined): string | undefined =>
  mode !== undefined && state !== undefined && !state.startsWith('->') && isFolder(mode) === isFolder(state)
    ? mode.slice(0, 3) + state.slice(3)
    : state;
const isFolder = (state: string): boolean => state.endsWith('folder');

const isIn = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

const differing = (a: Tree, b: Tree): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]);
