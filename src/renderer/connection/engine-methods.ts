/** What a window may ask of the engine, the rooms of the engine room included, whichever of them answers already. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type {
  fitMethods,
  libraryMethods,
  loadMethods,
  monitorMethods,
  setupMethods,
} from '../../protocol/engine-room-methods.ts';

export type WindowEngineMethods = EngineMethods &
  typeof libraryMethods &
  typeof fitMethods &
  typeof loadMethods &
  typeof monitorMethods &
  typeof setupMethods;
