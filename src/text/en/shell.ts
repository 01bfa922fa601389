import { count, plural } from './figures.ts';

/** Frame of the window: title bar, columns, notices. */
export const shell = {
  productName: 'Andiron',
  documentTitle: (session: string, asks: boolean): string =>
    asks ? `Asks: ${session} - Andiron` : `${session} - Andiron`,
  newSession: 'New session',
  commands: 'Commands',
  showLeft: 'Show the sessions',
  hideLeft: 'Hide the sessions',
  changes: (files: number): string => plural(files, 'file changed', 'files changed'),
  columns: {
    left: 'Width of the sessions',
    width: (px: number): string => `${count(px)} pixels`,
    help: 'Drag to change the width; double click for the usual one',
  },
  renameTitle: (title: string): string => `${title}\nClick to rename`,
  settings: 'Settings',
  minimize: 'Minimise',
  maximize: 'Maximise',
  restore: 'Restore',
  demo: {
    label: 'Demo',
    what: 'Demo. The model and the GPU are simulated.',
    leave: 'Leave demo',
    setUp: 'Set up Andiron',
    leaveTab: 'Close this tab to leave.',
  },
  demoAsked: {
    message: 'The demo was not started: Andiron is already running with this data folder.',
    advice: 'Close Andiron, then start the demo again.',
  },
  ownEngineAsked: {
    message: 'Andiron was started a second time, but the demo is running with this data folder.',
    advice: 'Close the demo, then start Andiron again.',
  },
  close: 'Close',
  dismiss: 'Dismiss',
  menu: 'Menu',
  engineLabel: 'Engine',
  notices: 'Notices',
  connecting: { host: 'Connecting to the agent host', engine: 'Connecting to the model service' },
  lost: { host: 'The agent host does not answer', engine: 'The model service does not answer' },
  draftKept: 'Andiron is trying again. Your draft is kept.',
  /** Only in a browser: it was signed out, or never signed in. */
  refused: {
    title: 'This window is not signed in',
    next: 'Open the address that the terminal shows. A tab that is signed in lets this one in, too.',
  },
  /** When it lasts. */
  stillLost: 'Andiron is still trying. If this lasts, restart it.',
  tryNow: 'Try now',
  updates: {
    ready: (version: string): string => `Andiron ${version} is ready`,
    installedAt: {
      quit: 'It is installed when you quit.',
      restart: 'It is installed when you restart Andiron here.',
      'restart-ends-others':
        'It is installed when you restart Andiron here. Other open copies of Andiron end too.',
    },
    notInstalled: (version: string): string => `Andiron ${version} wasn’t installed`,
    restart: 'Restart to update',
    whatsNew: (version: string): string => `New in Andiron ${version}`,
  },
  outdated: {
    title: 'A newer version of Andiron runs now',
    kept: 'drafts and turns go on',
  },
  /** Before the first snapshot of the host. */
  starting: {
    title: 'Starting',
    heading: 'Andiron is starting',
    steps: { host: 'Agent host', sessions: 'Sessions and profiles', engine: 'Engine' },
    standings: { there: 'ready', comes: 'starting', waits: 'waiting' },
    long: 'A long history is checked first, which can take minutes. If nothing changes, restart Andiron. Your drafts are kept.',
  },
  /** Of what was asked when the connection broke. */
  perhapsArrived: 'You will see whether it arrived once Andiron reconnects.',
  broken: {
    title: 'The window could not be shown',
    next: 'Your sessions and drafts are kept, and a turn that runs goes on.',
    reload: 'Reload the window',
  },
  languageMissing: {
    message: (name: string): string => `The texts in ${name} could not be loaded.`,
    advice: 'Check the connection, then choose the language again.',
  },
  settingsBroken: {
    title: 'The settings could not be shown',
    next: 'If it happens again, reload the window once Andiron answers.',
    back: 'Back to the session',
  },
  engineProblems: {
    searching: 'Looking for Ollama',
    absent: { title: 'Ollama was not found', next: 'Install it from ollama.com, then check again.' },
    /** It was there a moment ago, so it need not be installed. */
    gone: {
      title: 'Ollama stopped answering',
      next: 'Start it again, and Andiron continues.',
    },
    stopped: { title: 'Ollama is installed but not running', next: '' },
    starting: 'Starting Ollama',
    wrong: { title: 'Something else is using the address of Ollama' },
    /** In place of that where an Ollama may be behind it. */
    barriers: {
      certificate: 'The certificate at the address of Ollama is not trusted',
      refusal: 'The address of Ollama refuses Andiron',
      gateway: 'Ollama does not answer behind its address',
    },
    noModel: {
      title: 'Ollama has no model yet',
      next: 'Get one here, or in a terminal, for example: ollama pull qwen3.5:4b',
      choose: 'Choose a model',
    },
    setUp: 'Let Andiron set it up',
    lookAgain: 'Check again',
    start: 'Start Ollama',
  },
} as const;
