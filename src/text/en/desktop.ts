/** What the desktop around the page says: dialogs and tray. */
export const desktop = {
  open: 'Open Andiron',
  stop: 'Stop all turns',
  quit: 'Quit Andiron',
  stopOne: (title: string): string => `Stop “${short(title)}”`,
  running: (title: string): string => `Runs: ${short(title)}`,
  asking: (title: string): string => `Asks: ${short(title)}`,
  several: (sessions: number): string => `${sessions} sessions run`,
  /** Beside the icon, on a Mac. */
  trayTitles: { asking: 'Asks', running: 'Runs', idle: '' },
  releaseGpu: 'Free the GPU',
  reclaimGpu: 'Take the GPU back',
  releaseFailed: 'The GPU could not be freed or taken back',
  chooseFolder: 'Choose a folder',
  closeWhileRunning: {
    message: 'A turn is running.',
    detail: 'Closing stops it. What was written so far is kept.',
    stopAndClose: 'Stop it and close',
    keepOpen: 'Keep open',
  },
  close: 'Close',
  pageHangs: {
    message: 'The window does not respond.',
    detail: 'Turns go on meanwhile. If you reload the window, what you typed and did not send may be lost.',
    wait: 'Wait',
    reload: 'Reload the window',
  },
  hostLost: 'The agent host stopped working',
  pageLost: {
    title: 'The window stopped working',
    advice:
      'Andiron reloaded it several times. Restart Andiron. The file main.log in the data folder has the details.',
  },
  cannotStart: 'Andiron cannot start',
  stillEnding: {
    message: 'Another Andiron with this data folder is still ending.',
    advice: 'Start Andiron again in a minute.',
  },
  commandInstalled: {
    message: 'The command andiron is installed',
    detail: (path: string): string => `It is ${path}. Open a new terminal and try: andiron exec "Hello"`,
    elsewhere: (path: string, folder: string): string =>
      `It is ${path}. Your terminal does not look there yet: add ${folder} to PATH.`,
  },
  commandNotInstalled: 'The command andiron could not be installed',
  engine: {
    searching: 'Looking for Ollama',
    absent: 'Ollama was not found',
    stopped: 'Ollama does not run',
    starting: 'Ollama is starting',
    wrong: 'The address of Ollama does not answer as Ollama does',
    running: 'Ollama runs, no model loaded',
    loading: (model: string): string => `Loading ${model}`,
    loaded: (models: string): string => `Loaded: ${models}`,
  },
  badArguments: 'Andiron does not know these arguments',
} as const;

/** A menu is not the place to read a whole title. */
function short(title: string): string {
  return title.length <= 40 ? title : `${title.slice(0, 39).trimEnd()}…`;
}
