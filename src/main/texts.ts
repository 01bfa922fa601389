/** What main itself says: dialogs, menu and tray. The page has its own dictionary. */
import type { EngineState, EngineStatus } from '../protocol/model.ts';

export const texts = {
  open: 'Open Andiron',
  stop: 'Stop all turns',
  quit: 'Quit Andiron',
  view: 'View',
  chooseFolder: 'Choose the workspace folder',
  closeWhileRunning: {
    message: 'A turn is running.',
    detail: 'Closing stops it. What was written so far is kept.',
    stopAndClose: 'Stop it and close',
    keepOpen: 'Keep open',
  },
  hostLost: 'The agent host stopped working',
  pageLost: {
    title: 'The window stopped working',
    advice:
      'It was loaded again several times in vain. Restart Andiron; main.log in the data folder has the details.',
  },
  cannotStart: 'Andiron cannot start',
  badArguments: 'Andiron does not know these arguments',
} as const;

const statusLines: Readonly<Record<EngineStatus['kind'], string>> = {
  searching: 'Looking for Ollama',
  absent: 'Ollama was not found',
  stopped: 'Ollama does not run',
  starting: 'Ollama is starting',
  wrong: 'The address of Ollama answers as something else',
  running: 'Ollama runs, no model loaded',
};

/** One line for the tray: what the engine is doing, or why it does nothing. */
export function engineLine(state: EngineState | null): string {
  if (state?.status.kind !== 'running') return statusLines[state?.status.kind ?? 'searching'];
  if (state.loading) return `Loading ${state.loading.model}`;
  if (state.loaded.length === 0) return statusLines.running;
  return `Loaded: ${state.loaded.map((model) => model.name).join(', ')}`;
}
