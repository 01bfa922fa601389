/** A situation in which somebody asks for something, in any language. */
import type { Scene } from './scene.ts';
import type { TaskKind, TaskParts } from './task.ts';

export interface Scenario {
  id: string;
  kind: TaskKind;
  make(scene: Scene): TaskParts;
}
