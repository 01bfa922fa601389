import { count, percent, plural, seconds } from './figures.ts';

/** Profiles in the settings: making, changing and removing them. Flags and their help stand with the settings. */
export const profiles = {
  pages: {
    prompts: 'Prompt',
    tools: 'Tools',
    model: 'Model',
    limits: 'Limits',
    advanced: 'Advanced',
    file: 'File',
  },
  pagesLabel: 'Pages of the profile',
  figures: 'About how many tokens are read before your first word.',
  unsaved: 'not saved',

  create: 'New profile',
  createTitle: 'New profile',
  createVerb: 'Create profile',
  createKeep: 'Cancel',
  createName: 'Name',
  createFrom: 'Begin with',
  createEmpty: 'Blank',
  createHelp: 'You can change everything afterwards.',
  nameMissing: 'It needs a name.',
  nameTaken: 'There is a profile of this name.',
  nameLong: (most: number): string => `At most ${count(most)} characters.`,
  duplicate: 'Duplicate',
  copyOf: (name: string, nth: number): string => (nth === 1 ? `${name} copy` : `${name} copy ${count(nth)}`),
  more: 'More for this profile',
  rename: 'Rename',
  remove: 'Delete profile',
  removeWhat: (name: string): string => `Delete ${name}`,
  removeKeep: 'Keep it',
  toBuiltIn: 'Restore the built-in profile',
  toBuiltInKeep: 'Keep mine',
  cannotRemove: 'A built-in profile can’t be deleted.',
  /** Before it, where the open session would pay. */
  removeAsks: (name: string, instead: string, session: string): string =>
    `Without ${name}, ${session} goes on with ${instead}:`,
  toBuiltInAsks: (name: string, session: string): string => `With the built-in ${name}, ${session}:`,
  removed: (name: string): string => `${name} is deleted.`,
  /** One that is chosen and was deleted. */
  gone: (id: string): string => `${id} (deleted)`,
  removedSessions: (sessions: number, instead: string): string =>
    `${plural(sessions, 'session goes', 'sessions go')} on with ${instead}.`,
  resetDone: (name: string): string => `${name} is the built-in one again.`,
  undo: 'Undo',
  dismiss: 'Dismiss',
  ownInstead: 'Yours, in place of the built-in one.',

  changedMark: 'Changed from its default.',
  range: (min: string, max: string): string => `${min} to ${max}`,
  atLeast: (min: string): string => `at least ${min}`,
  anyWhole: 'any whole number',
  invalidAnyWhole: 'A whole number, or nothing.',
  invalidWholeOrNothing: (min: number, max: number | null): string =>
    max === null
      ? `A whole number, at least ${count(min)}, or nothing.`
      : `A whole number from ${count(min)} to ${count(max)}, or nothing.`,

  notSaved: (flags: string): string => `${flags}: not saved.`,
  fileChanged: (words: string): string => `The file has changed meanwhile: ${words}.`,
  fileSays: (what: string, value: string, mine: string): string => `${what} is now ${value}, here ${mine}`,
  keepMine: 'Keep mine',
  takeFile: 'Use the file’s',

  models: {
    up: (model: string): string => `Move ${model} up`,
    down: (model: string): string => `Move ${model} down`,
    place: (model: string, place: number, of: number): string =>
      `${model} is number ${count(place)} of ${count(of)}`,
    another: 'Another name',
    anotherLabel: 'Name of a model',
    anotherHelp: 'As Ollama calls it, for example qwen3:8b.',
    addVerb: 'Add',
    listed: 'It is in the list.',
    nameInvalid: 'Letters, digits and - _ . : / only, without spaces.',
  },

  tools: {
    groups: {
      files: 'Files',
      commands: 'Commands',
      work: 'Steps and notes',
      agents: 'Subagents and profiles',
      memory: 'Memory',
      schedule: 'Schedule',
      skills: 'Skills',
      mcp: 'Connections',
      web: 'Web',
      collections: 'Collections',
      others: 'Others',
    },
    risks: { read: 'reads', write: 'writes', execute: 'runs', network: 'network' },
    riskHelp: {
      read: 'Reads, or changes only what Andiron keeps for itself',
      write: 'Changes files',
      execute: 'Runs programs on this computer',
      network: 'Reaches the network',
    },
    tokens: (tokens: number): string => count(tokens),
    tokensLabel: (tokens: number): string => `about ${count(tokens)} tokens of every prompt`,
    unknown: 'not known to this version',
    cost: 'Read before your first word',
    costTools: (tools: number): string => plural(tools, 'tool', 'tools'),
    costTexts: 'Persona and prompt',
    about: (tokens: number): string => `about ${count(tokens)}`,
    aboutTime: (tokens: number, ms: number): string => `about ${count(tokens)}, ${seconds(ms)}`,
    share: (ratio: number, window: number): string =>
      `${ratio < 0.01 ? 'Under 1 %' : percent(ratio)} of the context of ${count(window)}. Estimated at four characters a token.`,
  },

  prompts: {
    names: { system: 'Prompt', subagent: 'Subagents', persona: 'Persona' },
    files: { system: 'system.md', subagent: 'subagent.md', persona: 'persona.md' },
    label: 'Texts of the profile',
    help: {
      system: 'What the model is told first, after the persona. The tools follow it.',
      subagent: 'What its subagents are told in place of persona and prompt. Empty: the same as the profile.',
      persona: 'Who the model is, before the prompt. Empty: the persona of all profiles.',
    },
    placeholder: {
      system: 'What this profile is for, and how it should work.',
      subagent: 'Empty: subagents use the profile’s persona and prompt.',
      persona: 'Empty: the persona below is used.',
    },
    common: 'Persona of all profiles',
    commonNone: 'There is none.',
    size: (characters: number): string =>
      `${plural(characters, 'character', 'characters')}, about ${count(Math.ceil(characters / 4))} tokens`,
    saved: 'Saved',
    unsaved: 'Not saved',
    empty: 'A profile needs a prompt.',
    revert: 'Revert',
    save: 'Save',
    builtIn: 'Built in. Saving creates your own copy.',
    cost: (session: string): string => `“${session}” uses this profile and`,
    costWhen: 'with its next message.',
    others: (sessions: number): string =>
      `${plural(sessions, 'other session re-reads', 'other sessions re-read')} it too.`,
    onlyOthers: (sessions: number): string =>
      `${plural(sessions, 'session with this profile re-reads', 'sessions with this profile re-read')} everything with the next message.`,
    subagents: 'Subagents read it from their next run on.',
    changed: (file: string): string => `${file} changed on the disk while you were editing.`,
    changedHelp: 'Save yours over it, or use the version on the disk.',
    fileNow: 'What the file says now',
    tooLong: 'Longer than a profile can be: at most 256 kB.',
  },

  file: {
    folder: 'Folder',
    files: 'Files',
    none: 'none',
    characters: (characters: number): string => plural(characters, 'character', 'characters'),
    flags: 'flags, models and tools',
    differs: 'What differs from the defaults',
    nothingDiffers: 'Every flag is at its default.',
    columns: { flag: 'Flag', value: 'Here', default: 'Default' },
    json: 'profile.json',
    unreadable: 'It cannot be read.',
    reading: 'Loading…',
    failed: 'The files cannot be shown:',
    editNote: 'You can use any editor. Andiron picks up the change.',
    tools: (tools: number): string => plural(tools, 'tool', 'tools'),
  },
} as const;
