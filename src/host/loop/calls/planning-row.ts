/** Planning calls of a turn that stand in a row, with no work between them. */
import { isPlanningTool } from './toolsets.ts';

/** A plan, and a change to it. Whoever plans once more does not begin. */
const maxRow = 2;

export class PlanningRow {
  #length = 0;

  /** One more planning call is not run. */
  get isFull(): boolean {
    return this.#length >= maxRow;
  }

  /** After each call that could be read. Returns true where it was work that followed a planning call. */
  ended(tool: string, isDone: boolean): boolean {
    // What a subagent has done is work of the turn.
    const isPlanning = isPlanningTool(tool) && !(tool === 'spawn_agent' && isDone);
    const isFollowing = !isPlanning && isDone && this.#length > 0;
    this.#length = isPlanning ? this.#length + 1 : 0;
    return isFollowing;
  }
}
