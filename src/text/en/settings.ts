import { bytes, count, gigabytes, percent, seconds } from '../format.ts';

/** The settings pane. */
export const settings = {
  label: 'Settings',
  done: 'Done',
  sections: {
    profiles: 'Profiles',
    models: 'Models',
    engine: 'Engine',
    appearance: 'Appearance',
    shortcuts: 'Shortcuts',
  },
  notYet: 'The agent host has not answered yet.',
  engineNotYet: 'The engine has not answered yet.',
  unknown: 'unknown',

  profiles: {
    list: 'Profiles',
    empty: 'No profile can be used.',
    builtIn: 'built in',
    builtInNote:
      'Built in. Your first change makes a copy of your own under the same name; the built-in one stays as it is.',
    ownNote: 'Yours. Changes go to its file at once; changing the file changes what is shown here.',
    problem: 'cannot be read',
    problemTitle: (id: string): string => `The profile ${id} cannot be read`,
    lastGood: 'The last good version is in use. Correct the file before you change it here.',
    notUsed: 'It is not used until this is corrected. Andiron notices by itself.',
    file: 'Folder',
    groups: {
      behaviour: 'Behaviour',
      planning: 'Planning',
      steering: 'Steering',
      subagents: 'Subagents',
      context: 'Context',
      memory: 'Memory',
      calls: 'Calls',
    },
    changed: (flags: number): string =>
      flags === 0 ? 'all at their defaults' : `${flags} changed from default`,
    changedHere: (flags: number): string => (flags === 0 ? '' : `${flags} changed`),
    about: 'Name',
    models: 'Models',
    modelsNote: 'first that is there wins',
    modelsAny: 'Any installed model that can call tools.',
    modelsAdd: 'Add a model',
    modelsAll: 'All installed models are in the list.',
    modelsUp: (model: string): string => `Prefer ${model}`,
    modelsRemove: (model: string): string => `Remove ${model} from the list`,
    missing: 'not installed',
    loaded: 'loaded',
    tools: 'Tools',
    toolsCount: (on: number): string => (on === 0 ? 'none: it only talks' : `${count(on)} on`),
    prompt: 'Prompt',
    promptSize: (characters: number): string => `${count(characters)} characters, in system.md`,
    promptShow: 'Show the prompt',
  },

  /** One line each: what the switch does, in the words of the person who has to decide. */
  flags: {
    approvals: {
      label: 'Approvals',
      help: 'Commands always ask.',
    },
    maxIterations: {
      label: 'Most iterations',
      help: 'Stops and offers to continue after this many replies.',
    },
    think: { label: 'Thinking', help: 'Lets the model think before each reply.' },
    contextTokens: {
      label: 'Window',
      help: 'What the model can hold. More takes more VRAM.',
    },
    temperature: { label: 'Temperature', help: 'Empty: the model’s own. Lower is steadier.' },
    firstTokenTimeoutS: {
      label: 'Wait for a reply',
      help: 'Gives up when nothing comes, reading time aside.',
    },
    idleTokenTimeoutS: {
      label: 'Wait within a reply',
      help: 'Gives up when a reply pauses this long.',
    },
    planningEnabled: { label: 'Plan first', help: 'Makes a plan before a task with several steps.' },
    planningPhase2Enabled: {
      label: 'Review the plan',
      help: 'One more request, where the model asks for it.',
    },
    planningMandatory: { label: 'Always plan', help: 'Plans every message, even a greeting.' },
    stepValidationEnabled: {
      label: 'Evidence for every step',
      help: 'Ticked only with words that prove it, or when seen.',
    },
    adaptiveReplanEnabled: {
      label: 'Replan after a failed step',
      help: 'Asks for other steps as soon as one has failed.',
    },
    iterationBudgetEnabled: {
      label: 'Tell the model its budget',
      help: 'At the start, and with 7, 3 and 1 iterations left.',
    },
    goalAnchoringEnabled: {
      label: 'Restate the goal',
      help: 'Repeats your task every so many iterations.',
    },
    goalAnchoringInterval: { label: 'Restate the goal: iterations', help: '' },
    antiStallEnabled: {
      label: 'Warn when stalled',
      help: 'After so many iterations without a finished step.',
    },
    antiStallThreshold: { label: 'Warn when stalled: iterations', help: '' },
    subagentPlanningEnabled: { label: 'Subagents plan too', help: 'Each subagent makes a plan of its own.' },
    subagentTools: { label: 'Subagent tools', help: 'What subagents of this profile may use.' },
    subagentMaxIterations: {
      label: 'Most iterations of a subagent',
      help: 'It ends after this many replies and tells what it has.',
    },
    subagentTimeoutS: { label: 'Longest run of a subagent', help: 'It ends then and tells what it has.' },
    compactAt: {
      label: 'Summarise from',
      help: 'A summary replaces older turns from here. 0: never.',
    },
    keepRecentTurns: { label: 'Keep whole', help: 'The newest turns, which are never summarised.' },
    memoryEnabled: {
      label: 'Remember',
      help: 'Keeps facts about you for new sessions.',
    },
    calls: {
      label: 'How tools are called',
      help: 'Learnt: in a fixed form where a model needs it.',
    },
    name: { label: 'Name', help: 'Shown in the composer and the list.' },
    description: { label: 'Description', help: 'One line that says what it is for.' },
  },
  thinkChoices: { own: 'Model’s own', on: 'On', off: 'Off' },
  callChoices: { auto: 'Learnt', native: 'Native', constrained: 'Fixed form' },
  toolChoices: { same: 'The profile’s', own: 'A choice' },
  on: 'on',
  off: 'off',
  approvalChoices: { auto_read: 'Reads freely', ask: 'Asks always' },
  isDefault: 'default',
  fromModel: 'from model',
  reset: 'Reset',
  resetTo: (value: string): string => `Reset to ${value}`,
  units: { seconds: 's', tokens: 'tokens', percent: '%', turns: 'turns' },

  invalid: {
    whole: (min: number, max: number | null): string =>
      max === null
        ? `A whole number, at least ${count(min)}.`
        : `A whole number from ${count(min)} to ${count(max)}.`,
    number: (min: number, max: number): string => `A number from ${min} to ${max}, or nothing.`,
    empty: 'It needs a name.',
  },

  prices: {
    free: 'costs nothing: same prompt, same model',
    unread: 'nothing has been read yet',
    loads: (model: string, size: number | null): string =>
      size === null ? `loads ${model}` : `loads ${model}, ${bytes(size)}`,
    reloads: (model: string, size: number | null): string =>
      size === null ? `loads ${model} again` : `loads ${model} again, ${bytes(size)}`,
    rereads: (tokens: number | null, ms: number | null): string => {
      if (tokens === null) return 're-reads the session, tokens unknown';
      const price = `re-reads about ${count(tokens)} tokens`;
      return ms === null ? price : `${price}, about ${seconds(ms)}`;
    },
    mayReread: (tokens: number | null): string =>
      tokens === null
        ? 'may re-read the session, depending on the model'
        : `may re-read about ${count(tokens)} tokens, depending on the model`,
    and: ', and ',
  },
  pending: {
    changed: (names: string): string => `${names}:`,
    when: 'With the next message',
    apply: 'Apply',
    discard: 'Discard',
    failed: 'Not saved.',
    retry: 'Try again',
  },
  switch: {
    to: (profile: string): string => `to ${profile}:`,
    verb: 'Switch',
    button: 'Switch session',
    newSession: 'the new session',
    newButton: 'Use for the new session',
    inUse: (session: string): string => `In use in ${session}.`,
    running: 'From the next reply on.',
  },

  models: {
    title: 'Installed models',
    none: 'Ollama has no model yet. Get one in a terminal: ollama pull NAME. It appears here by itself.',
    notRunning: 'Ollama does not run, so its models are not known.',
    columns: {
      model: 'Model',
      size: 'Size',
      quantization: 'Quantisation',
      window: 'Trained window',
      memory: 'In memory',
      action: 'Action',
    },
    capabilities: {
      tools: 'tools',
      thinking: 'thinking',
      vision: 'images',
      completion: 'chat',
      embedding: 'embeddings',
    },
    capabilitiesUnknown: 'capabilities unknown',
    noTools: 'no tools',
    load: 'Load',
    unload: 'Unload',
    loadLabel: (model: string, size: number): string => `Load ${model}, ${bytes(size)}`,
    unloadLabel: (model: string): string => `Unload ${model}`,
    loading: (elapsedMs: number): string => `loading, ${seconds(elapsedMs)}`,
    loadingAbout: (ratio: number): string => `loading, about ${percent(ratio)}`,
    no: 'no',
    vram: (vram: number): string => `${bytes(vram)} of VRAM`,
    window: (tokens: number): string => `window ${count(tokens)}`,
    onCpu: (ratio: number): string => `${percent(ratio)} on the CPU`,
    otherPlan: 'loaded by another program: the next turn loads it again',
    note: 'Loading a model that does not fit beside another unloads the other first. Unloading gives up what the model has read.',
  },

  engine: {
    title: 'Ollama',
    state: 'State',
    states: {
      searching: 'being looked for',
      absent: 'not found',
      stopped: 'installed, not running',
      starting: 'starting',
      wrong: 'answers, but not as Ollama does',
      running: 'running',
    },
    address: 'Address',
    version: 'Version',
    reach: 'Reachable from',
    reaches: {
      local: 'this computer only',
      network: 'your whole network: start it without OLLAMA_HOST=0.0.0.0 unless you want that',
      unknown: 'unknown',
    },
    simulated: 'simulated: this is demo mode',
    program: 'Program',
    hint: 'Next step',
    problem: 'Last problem',
    queue: 'GPU queue',
    queueIdle: 'nothing waits',
    queueBusy: (label: string, waiting: number): string =>
      waiting === 0 ? `in use: ${label}` : `in use: ${label}; ${count(waiting)} waiting`,
    start: 'Start Ollama',
    lookAgain: 'Look again',
    keepAlive: 'Keep models loaded',
    keepAliveChoices: { while_open: 'While open', minutes: 'A while', always: 'Always', never: 'Never' },
    keepAliveHelp: {
      while_open: 'Ten minutes at a time, renewed while Andiron is open.',
      minutes: 'So many minutes after their last request, also when Andiron is closed.',
      always: 'They stay after Andiron is closed.',
      never: 'Unloaded after each turn. Every message then loads and reads all again.',
    },
    gpu: 'GPU',
    gpuNone: 'none found',
    gpuReading: 'being read',
    vram: 'VRAM',
    vramOf: (used: number, total: number): string => `${gigabytes(used)} of ${gigabytes(total)} GB used`,
    vramTotal: (total: number): string => `${gigabytes(total)} GB, use unknown`,
    load: 'Load',
    utilization: (ratio: number): string => percent(ratio),
    temperature: 'Temperature',
    celsius: (value: number): string => `${Math.round(value)} °C`,
    power: 'Power',
    watts: (value: number): string => `${Math.round(value)} W`,
    memory: 'Main memory',
    memoryUse: 'In use',
    memoryOf: (used: number, total: number): string => `${gigabytes(used)} of ${gigabytes(total)} GB used`,
    cpu: 'CPU load',
  },

  appearance: {
    theme: 'Theme',
    themeHelp: 'Follow the system changes with your desktop.',
    themes: { system: 'System', dark: 'Dark', light: 'Light' },
  },

  shortcuts: {
    title: 'Shortcuts',
    note: 'In a browser some keys belong to the browser, so Andiron uses others there.',
    /** By command; one without words here is shown by its name. */
    names: {
      'session/new': 'New session',
      'session/next': 'Next session',
      'session/previous': 'Previous session',
      'session/search': 'Search sessions',
      'turn/stop': 'Stop the turn',
      'approval/focus': 'Go to the question',
      'composer/focus': 'Go to the message box',
      'view/left': 'Show or hide the sessions',
      'view/right': 'Show or hide the right column',
      'view/close-sheet': 'Close the column over the transcript',
      'view/theme': 'Switch the theme',
      'view/settings': 'Settings',
    },
  },

  /** What each tool does, for the person who decides whether a profile gets it. */
  tools: {
    read_file: 'reads a file',
    write_file: 'writes a new file',
    edit_file: 'changes a file',
    list_files: 'lists a folder',
    glob: 'finds files by name',
    search: 'searches in files',
    run_command: 'runs a command',
    todo: 'keeps its list of steps',
    scratchpad: 'keeps notes for itself',
    spawn_agent: 'hands a part to a subagent',
    switch_profile: 'goes on as another profile',
    list_profiles: 'lists the profiles',
    memory_save: 'remembers a fact',
    memory_search: 'looks up what it remembers',
  },
} as const;
