import { bytes, count, percent, plural, seconds } from './figures.ts';

const pixels = (width: number, height: number): string => `${count(width)} × ${count(height)}`;

/** The message box and its chips. */
export const composer = {
  label: 'Message',
  placeholder: {
    idle: 'Message Andiron, @ for files, / for commands',
    busy: 'Queue a message',
    first: 'Describe a task, @ for files, / for commands',
    noFolder: 'Describe a task. You choose its folder when you send it.',
  },
  folder: {
    label: 'Folder of this message',
    explain: 'Choose the folder to work in',
    pathLabel: 'Path of the folder',
    takePath: 'Use and send',
  },
  imported: {
    label: 'Folder of this imported session',
    explain: 'Imported. It works in an empty folder until you choose one.',
    take: (folder: string): string => `Use ${folder}`,
    other: 'Choose another folder',
    pathLabel: 'Path of the folder',
    takePath: 'Use this folder',
  },
  send: 'Send',
  /** Of a message whose sending was cut off long ago. */
  unsent: {
    notSent: 'A message was not sent because Andiron lost the connection.',
    isBack: 'It is back in the message box. Send it again.',
  },
  stop: 'Stop',
  stopping: 'Stopping',
  queue: 'Queue',
  queued: {
    label: 'Queued messages',
    waits: (place: number): string => (place === 0 ? 'Next:' : 'Then:'),
    noModel: 'Sent as soon as a model is ready:',
    unsent: 'Not sent:',
    unsentWhy: 'You stopped the turn, or closed Andiron, before it was sent.',
    sendNow: 'Send now',
    sendAll: 'Send all',
    edit: 'Edit',
    up: 'Move the queued message up',
    remove: 'Remove the queued message',
    field: 'Queued message',
    keep: 'Keep',
    leave: 'Cancel',
    tooLate: 'The message was sent before your change was kept.',
    tooLateAdvice: 'Your change is in the message box.',
    files: (number: number): string => plural(number, 'file', 'files'),
  },
  files: {
    label: 'Attachments',
    attach: 'Attach files',
    uploading: 'attaching',
    remove: (name: string): string => `Remove ${name}`,
    cancel: (name: string): string => `Cancel attaching ${name}`,
    retry: 'Try again',
    look: (name: string): string => `Look at ${name}`,
    meta: (kind: string, size: number): string => `${kind}, ${bytes(size)}`,
    /** Of what no person wrote. */
    metaFrom: (kind: string, size: number, server: string): string =>
      `${kind}, ${bytes(size)}, from ${server}`,
    fromCollection: (collection: string): string => `From the collection ${collection}`,
    /** A resource of a server of tools, before the message is sent. */
    readLater: (server: string): string => `From ${server}, read when you send`,
    /** Of a picture that had more pixels than a model looks at. */
    reduced: (size: number, width: number, height: number): string =>
      `${bytes(size)}, made smaller: ${pixels(width, height)}`,
    /** Of a picture that the window cannot read, so that it was not made smaller either. */
    undrawn: (kind: string, size: number): string =>
      `${kind}, ${bytes(size)}. Andiron can’t read it and sends it as it is. The model may not read it either.`,
    kinds: { text: 'Text', other: 'File' },
    /** Why the message cannot be sent yet. */
    waits: 'You can send once the files are attached.',
    failed: 'Try again or remove what failed, then send.',
    failedOf: (failed: number, all: number): string =>
      `${count(failed)} of ${plural(all, 'file', 'files')} could not be attached.`,
    drop: 'Drop to attach',
    dropHelp: (most: number, size: number): string => `Up to ${most} files of ${bytes(size)} each`,
    words: {
      empty: (name: string): string => `${name} is empty.`,
      emptyAdvice: 'Choose another file.',
      tooLarge: (name: string, size: number, most: number): string =>
        `${name} is ${bytes(size)}; an attached file may be ${bytes(most)}.`,
      tooLargeAdvice: 'Put it into the session’s folder and mention it with @.',
      tooMany: (most: number, left: number): string =>
        `A message takes ${most} files; ${plural(left, 'file was', 'files were')} left out.`,
      tooManyAdvice: 'Send the others with the next message, or mention files in the folder with @.',
      folder: (name: string): string => `${name} is a folder. Only files can be attached.`,
      folderAdvice: 'Mention files in the session’s folder with @.',
      unreadable: 'The file could not be read.',
    },
    unseen: (model: string): string => `${model} can’t see images, so the message can’t be sent.`,
    seer: (model: string, price: string): string => `Switch to ${model}, ${price}`,
    noSeer: 'Find a model that sees images',
  },
  /** A file of a message over the whole window. */
  viewer: {
    pixels,
    place: (at: number, of: number): string => `${at} of ${of}`,
    before: 'Previous file',
    after: 'Next file',
    zoom: {
      stage: 'Picture. Plus and minus zoom, 0 fits it, arrow keys move it.',
      fits: 'Fitted',
      now: percent,
      in: 'Zoom in',
      out: 'Zoom out',
      fit: 'Fit',
      fitHelp: 'Fit the window (0)',
      actual: '100 %',
      actualHelp: 'Actual size (1)',
    },
    save: 'Save',
    close: 'Close',
    opening: 'Opening',
    broken: (name: string): string => `${name} is damaged and can’t be shown.`,
    unshown: 'Andiron can’t show this kind of file. Save it to open it in another program.',
    cut: (shown: number, all: number): string =>
      `The first ${count(shown)} of ${count(all)} characters. Save the file to read all of it.`,
  },
  pasted: {
    told: (characters: number, lines: number): string =>
      `Pasted ${plural(lines, 'line', 'lines')}, ${plural(characters, 'character', 'characters')}.`,
    attach: 'Attach as file',
    keep: 'Keep as text',
    name: 'pasted.txt',
  },
  mentions: {
    label: 'Files',
    found: (number: number): string => `${plural(number, 'file', 'files')}. Arrow keys choose, Enter takes.`,
    none: (query: string): string => `No file matches “${query}”`,
    empty: 'There are no files in this folder yet.',
    looking: 'Looking for files',
    more: 'There are more. Keep typing to narrow it down.',
    /** With collections and resources of servers beside them. */
    labelOfAll: (hasCollections: boolean, hasResources: boolean): string =>
      hasCollections
        ? `Files${hasResources ? ',' : ' and'} collections${hasResources ? ' and resources' : ''}`
        : 'Files and resources',
    foundOfAll: (files: number, collections: number, resources: number): string =>
      `${[
        plural(files, 'file', 'files'),
        ...(collections > 0 ? [plural(collections, 'collection', 'collections')] : []),
        ...(resources > 0 ? [`${plural(resources, 'resource', 'resources')} of servers`] : []),
      ].join(', ')}. Arrow keys choose, Enter takes.`,
    collections: 'Collections',
  },
  /** Folders and files in which passages are found for the message. */
  collections: {
    later: 'Collection',
    noQuery: 'Write a message: it says what to look for in the collection.',
  },
  /** Prompts of servers, which become a draft. */
  prompts: {
    from: (server: string): string => `A prompt of ${server}`,
    goesTo: (server: string): string =>
      `Your answers go to ${server}. Its text comes into the message box; nothing is sent to the model yet.`,
    fill: 'Write draft',
    leave: 'Cancel',
    empty: (server: string, prompt: string): string => `The prompt ${prompt} of ${server} is empty.`,
    emptyAdvice: 'Try other answers, or another prompt.',
    leftOut: (parts: number): string =>
      `${plural(parts, 'picture or file', 'pictures or files')} of the prompt left out. The draft says where.`,
  },
  slash: {
    label: 'Commands',
    found: (number: number): string =>
      `${plural(number, 'command', 'commands')}. Arrow keys choose, Enter runs.`,
    hints: { move: 'choose', take: 'take', run: 'run', leave: 'leave as text' },
    enter: 'Enter',
    noWords: 'Takes nothing after it. Escape leaves it as text.',
    current: 'in use',
    help: {
      new: 'Start a new session',
      fork: 'Continue in a new session',
      rename: 'Rename the session',
      model: 'Choose the model of this session',
      profile: 'Choose the profile of this session',
      attach: 'Attach files to the message',
      compact: 'Summarise older messages to free context',
      undo: 'Undo the last summary',
      reset: 'Clear the model’s context, keep the transcript',
      export: 'Save the session as a file',
      stop: 'Stop the turn',
      settings: 'Open the settings',
      help: 'Show all shortcuts',
    },
    args: { rename: 'title', model: 'name', profile: 'name', export: 'form' },
    renameTo: (title: string): string => `Call it “${title}”`,
    nothing: (words: string): string => `Nothing matches “${words}”. Escape leaves it as text.`,
    renameEmpty: 'Write the new title.',
    exports: { markdown: 'For reading', json: 'For importing' },
    why: { noSummary: 'There is no summary to undo.', busy: 'A turn is running.' },
  },
  profile: {
    label: 'Profile',
    none: 'No profile',
    nextReply: 'Applies from the next reply, which re-reads the prompt.',
  },
  model: {
    label: 'Model',
    none: 'No model',
    auto: 'Chosen by the profile',
    loaded: 'loaded',
    loads: (size: number, ms: number | null = null): string =>
      ms === null ? `loads ${bytes(size)}` : `loads ${bytes(size)}, about ${seconds(ms)}`,
    search: 'Search models',
    nothing: 'No installed model matches',
    rereads: (tokens: number | null): string =>
      tokens === null
        ? 'Another model re-reads the session.'
        : `Another model re-reads the session, about ${count(tokens)} tokens.`,
    heading: 'Installed models',
    noneInstalled: 'No installed model can chat.',
    get: 'Get a model',
    notRunning: 'Andiron cannot reach Ollama.',
    setUp: 'Set up Ollama',
    everywhere: {
      heading: 'Models',
      nothing: 'No model matches',
      on: (server: string): string => `On ${server}`,
      asking: 'Asking other servers for their models',
      silent: (server: string): string => `${server} does not answer.`,
      unlisted: (server: string, why: string): string => `${server} did not list its models. ${why}`,
    },
  },
  approvals: {
    label: 'Approvals',
    heading: 'Approvals in this session',
    names: {
      ask: 'Ask every time',
      auto_read: 'Ask before changes',
      accept_edits: 'Accept edits',
      plan_only: 'Plan only',
      autonomous: 'Work alone',
    },
    help: {
      ask: 'Every tool asks, reading too.',
      auto_read: 'Reading is free; edits and commands ask.',
      accept_edits: 'Files change without asking; commands ask.',
      plan_only: 'Reads and plans; nothing changes until you approve the plan.',
      autonomous: 'Sandboxed commands run too, where undo covers the folder.',
    },
    ofProfile: (profile: string): string => `Set in the profile ${profile}.`,
    needsSandbox: 'Needs a sandbox: see Settings, About.',
    note: (keys: string): string => `${keys} goes to the next one.`,
  },
} as const;
