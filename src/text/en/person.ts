import { bytes, count, plural } from './figures.ts';
import { memoryWords } from './memory-words.ts';

/** The settings beside profiles, models, engine and shortcuts. A `rows` entry is one row, and is found by the search. */
export const person = {
  search: {
    field: 'Search settings',
    clear: 'Clear the search',
    results: 'Settings found',
    found: (rows: number): string => (rows === 0 ? 'No setting found' : plural(rows, 'setting', 'settings')),
    nothing: (query: string): string => `No setting matches “${query}”`,
    nothingHelp: 'Rows are found by their name, their help and by words like “dark”, “privacy” or “VRAM”.',
    /** Other words that people use, by section and row. */
    searchWords: {
      'profiles.approvals': 'permission confirm trust yolo auto safety allow',
      'profiles.maxIterations': 'limit loop steps budget iterations most',
      'profiles.think': 'reasoning thoughts',
      'profiles.temperature': 'creativity randomness sampling',
      'profiles.contextTokens': 'context window length size num_ctx vram',
      'profiles.firstTokenTimeoutS': 'timeout hang',
      'profiles.idleTokenTimeoutS': 'timeout hang stall',
      'profiles.planningEnabled': 'steps todo',
      'profiles.compactAt': 'compaction summary compress context',
      'profiles.memoryEnabled': 'memory facts privacy learn',
      'profiles.calls': 'tools grammar json function native',
      'profiles.models': 'llm fallback list order',
      'profiles.tools': 'functions allow disable',
      'profiles.prompts': 'system prompt persona instructions identity',
      'profiles.file': 'json folder path disk',
      'models.installed': 'llm list delete remove',
      'models.more': 'download pull catalogue library get',
      'engine.ollama': 'server version address port errors problems',
      'engine.keepAlive': 'unload vram idle time',
      'engine.hosts': 'url remote server port ollama_host',
      'engine.memory': 'ram cpu',
      'approvals.policies': 'permission confirm trust auto safety ask',
      'approvals.session': 'permission grant revoke always allow',
      'approvals.commands': 'rules shell terminal run revoke sandbox',
      'approvals.hosts': 'network internet web domain proxy npm pip github',
      'approvals.never': 'forbidden blocked sandbox folder safety',
      'appearance.theme': 'dark light mode colour color night',
      'appearance.language': 'locale translation english german deutsch sprache',
      'appearance.textSize': 'font zoom bigger smaller scale',
      'appearance.motion': 'animation transition accessibility',
      'appearance.wrapCode': 'line break long lines overflow',
      'notifications.notifications': 'notify alert popup banner',
      'notifications.quietHours': 'do not disturb night silent mute time',
      'memory.facts': 'privacy learn about me personal forget delete',
      'memory.summary': 'privacy about me personal',
      'memory.meaning': 'embedding vectors semantic search similar recall model',
      'memory.profiles': 'privacy learn switch off disable',
      'memory.clear': 'delete all wipe privacy reset',
      'desktop.keepAwake': 'sleep suspend power battery idle standby laptop',
      'desktop.checkUpdates': 'new version upgrade release automatic',
      'desktop.hardwareAcceleration': 'gpu vram graphics render blank',
      'storage.folder': 'data path directory location where',
      'storage.sizes': 'disk space usage big',
      'storage.purge': 'delete trash bin empty privacy wipe',
      'storage.compact': 'vacuum shrink compact free space',
      'storage.check': 'integrity corrupt damaged repair',
      'storage.export': 'backup save json copy',
      'bindings.test': 'preview check which profile answers',
      'bindings.places': 'platform server telegram discord webhook profile model modules limit',
      'bindings.personas': 'identity character prompt voice',
      'people.budgets': 'guest default tokens limit cache cached free',
      'people.others': 'users guests accounts telegram budget limit block level permission',
      'usage.tokens': 'cost money price spending consumption statistics csv export',
      'schedule.jobs': 'cron timer recurring repeat later task automatic reminder daily',
      'connections.web': 'internet browse searxng brave tavily exa api key fetch page google',
      'connections.skills': 'agents.md skill.md instructions trust folder agents skill',
      'collections.collections':
        'documents folder files knowledge base library rag index embeddings vectors retrieval search passages',
      'connections.servers': 'mcp server tools plugins extensions integrations model context protocol import',
      'about.version': 'update release build',
      'about.diagnostics': 'debug bug report support',
      'about.logs': 'log file debug error',
      'about.signOut': 'log out logout session security token',
      'about.licences': 'license open source third party credits',
    } as Readonly<Partial<Record<string, string>>>,
  },

  approvals: {
    rows: {
      policies: {
        label: 'When to ask',
        help: 'Commands always ask, except those you always allow. Applies from the next call.',
      },
      commands: {
        label: 'Commands always allowed in a folder',
        help: 'They run in the sandbox without a question, also in new sessions.',
      },
      hosts: {
        label: 'Hosts that commands may reach',
        help: 'Sandboxed commands ask before they reach a host. After reading text from elsewhere, each turn asks once more.',
      },
      session: {
        label: 'Allowed for the rest of a session',
        help: 'Tools you allowed in a folder for a session. Protected files still ask.',
      },
      never: { label: 'Never allowed', help: 'These limits can’t be changed.' },
    },
    ways: { atOnce: 'At once:', asks: 'Asks:', asksEach: 'Asks each time:' },
    tools: (tools: number): string => plural(tools, 'tool', 'tools'),
    noTools: 'It has no tools.',
    asking: 'Loading…',
    policyOf: (profile: string): string => `When ${profile} asks`,
    inUse: 'in use',
    noneGranted: 'Nothing allowed yet.',
    noCommands: 'No command yet.',
    noHosts: 'No host yet.',
    /** Behind the name of a host. */
    oneSession: 'one session',
    ofPerson: (name: string): string => `for ${name}`,
    suggestedIn: (folder: string): string => `Often needed, for ${folder}`,
    suggestions: {
      npm: 'Packages for JavaScript',
      python: 'Packages for Python',
      rust: 'Packages for Rust',
      go: 'Modules for Go',
      github: 'GitHub, to fetch and to push',
      gitlab: 'GitLab, to fetch and to push',
    },
    commandsIn: (folder: string): string => `Commands in ${folder}`,
    hostsIn: (folder: string): string => `Hosts in ${folder}`,
    used: (times: number, day: string): string =>
      times === 0 ? `allowed ${day}, not used yet` : `used ${plural(times, 'time', 'times')}, last ${day}`,
    removeLabel: (command: string, folder: string): string => `Ask again before ${command} in ${folder}`,
    inSession: (session: string): string => `In “${session}”`,
    open: 'open',
    risks: {
      read: 'reads',
      write: 'changes files',
      execute: 'runs commands',
      network: 'reads the web',
    },
    revoke: 'Ask again',
    revokeLabel: (tool: string, folder: string, session: string): string =>
      `Ask again before ${tool}${folder === '' ? '' : ` in ${folder}`} in “${session}”`,
    revokeAll: (count: number): string => `Ask again in all ${count}`,
    never: [
      'A command outside the sandbox for longer than one call. Each one asks.',
      'A file tool outside the session’s folder, also by a link that leads out of it.',
      'Andiron’s own data and the inside of .git, for any tool.',
      'Keys, browser data, login files and files that programs run, for longer than one call.',
      'A tool that the profile does not have, whatever the model writes.',
      'An approval by the model, a web page or a file. Only you can approve.',
    ],
  },

  appearance: {
    rows: {
      theme: { label: 'Theme', help: 'System follows your desktop.' },
      language: { label: 'Language', help: 'Of this window. Models answer in the language you write in.' },
      textSize: { label: 'Text size', help: 'Rows and buttons grow with it.' },
      motion: { label: 'Motion', help: 'Reduced: menus and folds change at once.' },
      wrapCode: { label: 'Wrap long lines of code', help: 'Off: they go on beyond the edge and scroll.' },
    },
    sizes: { small: 'Small', normal: 'Normal', large: 'Large', largest: 'Largest' },
    languages: { system: 'System' },
    motions: { system: 'As the system', reduced: 'Reduced' },
    sample: 'Sample',
    sampleText:
      'Three of 41 packages are two major versions behind. Each was checked against its change log before it was listed.',
    sampleCode:
      "import { readFile } from 'node:fs/promises';\n\nconst outdated = Object.entries(lock.packages).filter(([name, { version }]) => isBehind(name, version, registry.latest(name)));",
  },

  memory: memoryWords,

  storage: {
    rows: {
      folder: { label: 'Data folder', help: 'Everything that Andiron keeps is in here.' },
      sizes: { label: 'Disk use', help: 'Measured when you open this.' },
      purge: {
        label: 'Remove deleted sessions for good',
        help: 'Deleted sessions are removed after 7 days. This can’t be undone.',
      },
      compact: {
        label: 'Shrink the database',
        help: 'Frees unused disk space. Temporarily needs the same amount.',
      },
      check: { label: 'Check the database', help: 'Reads all of it and looks for damage. Changes nothing.' },
      export: {
        label: 'Export everything',
        help: 'All sessions, memory and your own profiles in one JSON file. An import takes its sessions.',
      },
    },
    asking: 'Loading…',
    parts: {
      database: 'Database',
      backups: 'Copies of the database before updates',
      undo: 'Files as they were before commands, for undo',
      attachments: 'Attached files',
      collections: 'Index of collections',
      engine: 'Ollama, as Andiron set it up',
      models: 'Models of that Ollama',
      logs: 'Logs',
      other: 'Profiles and the rest',
    },
    inDatabase: {
      sessions: (sessions: number): string => plural(sessions, 'session', 'sessions'),
      deleted: (sessions: number): string => plural(sessions, 'deleted session', 'deleted sessions'),
      nextAt: (day: string): string => `the first goes for good on ${day}`,
      unused: 'Unused space',
      rest: 'Indexes and what Andiron learnt',
    },
    total: 'Total',
    free: 'Free on this disk',
    unknown: 'unknown',
    none: 'nothing',
    measuring: 'Measuring…',
    failed: 'The sizes could not be measured.',
    again: 'Measure again',
    at: (time: string): string => `measured at ${time}`,
    copyPath: 'Copy the path',
    purge: (sessions: number): string => `Remove ${plural(sessions, 'session', 'sessions')}`,
    purgeNone: 'No deleted sessions',
    purgeTitle: (sessions: number): string =>
      `Remove ${plural(sessions, 'deleted session', 'deleted sessions')} for good?`,
    purgeText: (size: number): string => `This deletes ${bytes(size)} and can’t be undone.`,
    purgeKeep: 'Keep them',
    purged: (sessions: number): string =>
      `${plural(sessions, 'session was', 'sessions were')} removed. Shrink the database to free the disk.`,
    compact: 'Shrink',
    compacted: (freed: number): string =>
      freed === 0 ? 'There was nothing to free.' : `This freed ${bytes(freed)}.`,
    check: 'Check',
    sound: 'The database is sound.',
    damaged: (problems: number): string =>
      `${plural(problems, 'problem', 'problems')} found. Close Andiron and put a copy from the folder “backups” in its place, or export everything now.`,
    export: 'Export',
    exporting: (done: number, total: number): string => `Session ${count(done)} of ${count(total)}`,
    stopExport: 'Stop',
    exported: (size: number, sessions: number): string =>
      `Saved: ${plural(sessions, 'session', 'sessions')}, ${bytes(size)}.`,
    handedOver: (size: number, sessions: number): string =>
      `Handed to the browser: ${plural(sessions, 'session', 'sessions')}, ${bytes(size)}.`,
    working: 'Working',
  },

  desktop: {
    rows: {
      keepAwake: {
        label: 'Keep awake during a turn',
        help: 'The screen may still turn off. A laptop sleeps when you close its lid.',
      },
      checkUpdates: {
        label: 'Check for updates',
        help: 'Daily. A note says when a new version is ready.',
      },
      hardwareAcceleration: {
        label: 'Draw the window with the GPU',
        help: 'Off frees some VRAM for the model, but scrolling takes more CPU. Applies after a restart.',
      },
    },
    checkNow: 'Check now',
    updateStates: {
      idle: 'Not checked yet.',
      checking: 'Checking.',
      current: 'This is the newest version.',
      downloading: (version: string): string => `Downloading ${version}.`,
      ready: (version: string): string => `${version} is ready to install.`,
    },
    keepAwake: { always: 'Always', mains: 'On mains power', never: 'Never' },
    notKept: {
      message: 'The setting could not be saved.',
      advice:
        'Check that the disk has space and that you may write to the data folder. Then change it again.',
    },
  },

  about: {
    tagline: 'A desktop agent for your own GPU.',
    openFirstStart: 'Open setup',
    signOut: 'Sign out everywhere',
    noSignIn: 'This window needs no sign-in.',
    rows: {
      version: { label: 'Version', help: '' },
      runs: { label: 'Runs on', help: '' },
      electron: { label: 'Electron', help: '' },
      chromium: { label: 'Chromium', help: '' },
      node: { label: 'Node', help: '' },
      sqlite: { label: 'SQLite', help: '' },
      ollama: { label: 'Ollama', help: '' },
      logs: { label: 'Logs', help: '' },
      searchPath: { label: 'Search path', help: '' },
      sandbox: { label: 'Sandbox', help: '' },
      firstStart: {
        label: 'Setup',
        help: 'Ollama, a model, a folder and a first task.',
      },
      signOut: {
        label: 'Signed-in browsers',
        help: 'Signs out this browser and every other. The terminal then shows a new address.',
      },
      diagnostics: {
        label: 'Diagnostics',
        help: 'For a bug report. Nothing is sent.',
      },
      licences: {
        label: 'Licences',
        help: 'Andiron is under the MIT licence. It is built on these.',
      },
    },
    searchPath: (
      source: 'inherited' | 'shell' | 'fallback',
      shell: string | null,
      reason: string | null,
    ): string => {
      if (source === 'shell') return `from the login shell ${shell ?? ''}`.trim();
      if (source === 'inherited') return 'as Andiron was started with';
      return `with the usual folders added, because ${shell ?? 'the login shell'} did not answer: ${reason ?? 'unknown'}`;
    },
    /** Of commands; `detail`: what its program said, or what got out. */
    sandboxed: {
      bwrap: (version: string, hasProxy: boolean): string =>
        hasProxy
          ? `bubblewrap ${version}: commands change their folder alone, and ask for each host`
          : `bubblewrap ${version}: commands change their folder alone, without a network (python3 would let them ask for hosts)`,
      srt: (version: string): string =>
        `sandbox-runtime ${version}: commands change their folder alone, without a network`,
    },
    notSandboxed: {
      system: (): string => 'none for this system yet: commands can do all that you can',
      missing: (): string => 'none: install bubblewrap, then start Andiron again',
      refused: (detail: string): string => `none: the sandbox does not start here (${detail})`,
      leaky: (detail: string): string => `none: a trial in the sandbox failed (it ${detail})`,
    },
    none: 'none: this is a browser',
    unknown: 'unknown',
    asking: 'Loading…',
    failed: 'Andiron could not read these facts.',
    simulated: 'simulated',
    build: (commit: string, day: string): string => `built from ${commit} on ${day}`,
    buildDay: (day: string): string => `built on ${day}`,
    fromSource: 'run from the source',
    copy: 'Copy the diagnostics',
    home: 'Your home folder is written as ~.',
    licencesFailed: 'The list is part of a built Andiron; this one runs without it.',
    packages: (packages: number): string => plural(packages, 'package', 'packages'),
    licenceOf: (name: string): string => `Licence of ${name}`,
    licenceUnknown: 'licence unknown',
    facts: {
      andiron: 'Andiron',
      system: 'System',
      window: 'Window',
      engine: 'Ollama',
      gpu: 'GPU',
      loaded: 'Loaded',
      sessions: 'Sessions',
      profiles: 'Profiles',
      connection: 'Connections',
      data: 'Data folder',
      searchPath: 'Search path',
      sandbox: 'Sandbox',
    },
  },
} as const;
