import { askedWhy } from './asked-why.ts';
import { foreignQuote } from './foreign-quote.ts';
import { bytes, count, percent, plural, precise, roughCount, seconds, tenths, tokenRate } from './figures.ts';
import { turnWords } from './turn-words.ts';
import { messageVersions } from './message-versions.ts';
import { toolDoing } from './tools.ts';

/** The conversation: messages, tool rows, cards, receipts. */
export const transcript = {
  resultFiles: { label: 'Files of this answer', elsewhere: 'on a server' },
  sources: 'Sources',
  passage: (place: string): string => `Passage: ${place}`,
  label: 'Transcript',
  /** Who wrote a message, or whose session it is, and where. */
  sender: (name: string, platform: string): string =>
    name === '' || platform === '' ? name || `From ${platform || 'elsewhere'}` : `${name} on ${platform}`,
  loading: 'Loading the session',
  toEnd: 'Latest',
  toQuestion: 'Go to the question',
  olderComes: 'Earlier messages load as you scroll',
  copyAnswer: 'Copy answer',
  copyMessage: 'Copy message',
  /** A stretch of a long run of calls, in one line. */
  folded: {
    calls: (calls: number): string => plural(calls, 'call', 'calls'),
    of: (calls: number, verb: string): string => `${count(calls)} ${verb}`,
    failed: (calls: number): string => `${count(calls)} failed`,
  },
  find: {
    label: 'Find in this session',
    placeholder: 'Words in messages and answers',
    at: (at: number, of: number, complete: boolean): string =>
      `${count(at)} of ${count(of)}${complete ? '' : '+'} ${of === 1 ? 'message' : 'messages'}`,
    none: 'Not in messages or answers',
    before: 'Previous place',
    after: 'Next place',
    close: 'Close',
  },
  /** The conversation, as it is selected and copied. */
  whole: {
    selected: 'The whole conversation is selected. Copy takes it as Markdown.',
    copied: 'The conversation is copied as Markdown.',
    notCopied: {
      message: 'The conversation could not be copied.',
      advice: 'The browser only allows it in the active tab. Or export the conversation as Markdown.',
    },
  },
  thinking: (elapsedMs: number): string => `Thinking, ${seconds(elapsedMs)}`,
  thought: (ms: number): string => `Thought for ${seconds(ms)}`,
  cut: 'Cut off here',
  plainText: 'Shown as plain text: formatting it takes too long',
  unshown: 'This could not be shown.',
  otherVerb: 'Call',
  toolStates: {
    streaming: 'writing the call',
    awaiting_approval: 'asks',
    running: 'running',
    done: 'done',
    failed: 'failed',
    declined: 'declined by you',
    stopped: 'stopped',
    interrupted: 'interrupted; it may have run',
  },
  /** Of a call that was interrupted before it was allowed. */
  unanswered: 'interrupted while it asked',
  /** Of a call of somebody on another platform. */
  timedOut: 'declined: no answer in 10 minutes',
  repaired: 'repaired',
  /** What the person wrote ran in place of what the model had asked for. */
  edited: {
    tag: 'changed by you',
    asked: 'You changed the command: − as the model wrote it, + as it ran',
    askedLabel: 'Your change to the command',
    came: 'Output',
  },
  /** What was mended before the call ran, in the open card. */
  repairs: (repairs: string[]): string => `Repaired before it ran: ${repairs.join('; ')}`,
  /** What a note is about; its own words follow. */
  notes: {
    budget: 'Step budget',
    goal: 'Goal restated',
    stall: 'Stalled',
    replan: 'Asked for a new plan',
    repeat: 'Same call again',
    evidence: 'Evidence found',
    memory: 'Memory',
    constrained: 'Constrained calls',
    window: 'Context nearly full',
    reask: 'Asked again',
    lost_call: 'Tool call lost',
    reload: 'Model reloaded',
    date: 'Date',
    fan_out: 'Several subagents',
    context_size: 'Context size unknown',
    too_many_calls: 'Too many calls',
    unproven: 'Nothing was changed or run.',
    unrun: 'No command was run.',
    only_ran: 'Only a command was run.',
    all_failed: 'Every command ended with an error.',
    toolless: 'Answered without a tool: none fits.',
    guessed: 'A guess: what it looked for was not found.',
    instructions: 'Folder not trusted',
  },
  /** What a turn said as it opened, and the way to widen it. */
  scope: {
    answers: 'Answers without a tool',
    looks: 'Only looking',
    may: (acts: readonly string[]): string => `May ${new Intl.ListFormat('en-GB').format(acts)}`,
    acts: { change: 'change files', run: 'run commands', use: 'use other programs and the web' },
    allow: 'Let it make changes',
    busy: 'Wait until the turn ends, or stop it.',
  },
  summary: {
    title: 'Summarised older turns',
    tokens: (before: number, after: number): string => `${count(before)} → ${count(after)} tokens`,
    by: { model: 'by the model', rules: 'by rules' },
    undone: 'undone',
    show: 'Read summary',
    hide: 'Hide summary',
    undo: 'Undo',
    busy: 'Possible when no turn is running',
  },
  version: messageVersions,
  earlier: (messages: number): string => `Earlier version (${plural(messages, 'message', 'messages')})`,
  facts: {
    lines: (first: number, last: number, total: number): string =>
      `lines ${count(first)}–${count(last)} of ${count(total)}`,
    entries: (total: number): string => plural(total, 'entry', 'entries'),
    hits: (hits: number, files: number): string =>
      hits === 0 ? 'no hits' : `${plural(hits, 'hit', 'hits')} in ${plural(files, 'file', 'files')}`,
    sources: (found: number): string => plural(found, 'source', 'sources'),
    exit: (code: number): string => `exit ${code}`,
    signal: (name: string): string => `ended by ${name}`,
  },
  /** Of a document: "PDF, 40 pages". */
  readAs: (what: string): string => `${what}, read as text`,
  cutList: (shown: number, total: number): string => `${count(shown)} of ${count(total)} shown`,
  notSandboxed: 'not sandboxed',
  sandboxed: 'sandboxed',
  argumentsLabel: 'Arguments',
  resultLabel: 'Result',
  pictures: 'Pictures of the result',
  /** Over a message that began as a prompt of a server. */
  promptOf: (server: string, prompt: string): string => `From the prompt ${prompt} of ${server}`,
  outputLabel: 'Output',
  noOutput: 'No output.',
  /** Of what a tool brought. */
  keys: {
    hidden: (keys: number): string => `${plural(keys, 'key or password', 'keys or passwords')} hidden`,
    shown: (keys: number): string => plural(keys, 'key or password', 'keys or passwords'),
    show: 'Show',
    hide: 'Hide',
  },
  stopCommand: 'Stop command',
  stoppingCommand: 'Stopping',
  longLine: (characters: number): string => `One line of ${count(characters)} characters`,
  /** The call as it was stored. */
  details: 'Details',
  hideDetails: 'Hide details',
  copyCall: 'Copy call',
  copyResult: 'Copy result',
  wholeResult: {
    show: (characters: number): string => `Show whole result (${count(characters)} characters)`,
    more: 'Show more',
    label: 'Whole result',
  },
  noResult: 'No result yet.',
  noArguments: 'No arguments.',
  matchesIn: (matches: number): string => plural(matches, 'hit', 'hits'),
  approval: {
    label: 'Approval',
    /** Over the transcript, while the question is out of view. */
    waiting: 'Waiting for you',
    show: 'Show',
    titles: {
      execute: 'Run this command?',
      write: 'Make this change?',
      network: 'Send this request?',
      read: 'Allow this?',
    },
    unsandboxed: 'Run this command without the sandbox?',
    /** Of a command that ran in its sandbox, which refused it something. */
    again: 'Run it again without the sandbox?',
    edited: 'Run your version?',
    /** Around a name: of a file, a server of tools, a host. */
    files: { create: ['Create ', '?'], change: ['Change ', '?'], replace: ['Replace ', '?'] },
    service: ['Send this to ', '?'],
    host: ['Let this command reach ', '?'],
    page: ['Let Andiron reach ', '?'],
    lines: (lines: number): string => `${count(lines)} lines`,
    subagent: (profile: string): string => `asked by the subagent ${profile}`,
    /** Around the folder. */
    sandboxed: ['Sandboxed: can write in ', ''],
    networks: { none: ', no network', asks: ', asks before it reaches a host' },
    hostWaits: '. The command waits. Every new host asks.',
    notSandboxed: ['Not sandboxed, runs in ', '.'],
    nothing: 'Changes nothing',
    effects: {
      memory_save: 'Changes what Andiron tells every later session about you',
      schedule_add: 'Changes what Andiron does later, while nobody looks',
      schedule_cancel: 'Removes a job and its history',
      switch_profile: 'Changes which tools this session has, and when they ask',
      tool_call: 'Can do what this tool of another program does',
    },
    /** The box that holds what is asked about. */
    call: 'Call',
    /** Until then nothing can be allowed. */
    showRest: 'Show the rest',
    readFirst: 'You can allow it once you have seen the end.',
    readFromStart: 'You can allow it once you have seen the beginning.',
    /** A command that the person writes, as far as it hides something. */
    willRun: 'This will run:',
    allowOnce: 'Allow once',
    /** Of what asks again in the next turn, and not before. */
    allowForTurn: 'Allow for this turn',
    /** Over a sentence that the person did not write; the name of a file, a command or a host follows. */
    asked: askedWhy,
    quote: foreignQuote,
    /** `folder` is empty for a tool that touches no files. */
    allowSession: (tool: string, folder: string): string =>
      `Allow ${toolDoing(tool)}${folder === '' ? '' : ` in ${folder}`} for this session`,
    decline: 'Decline',
    /** With words in the field beside it. */
    declineSaid: 'Decline and reply',
    /** Behind a declined call: what the person wrote. */
    said: (reply: string): string => `“${reply}”`,
    declineKey: 'D',
    reply: 'Or tell it what to do instead',
    replyKey: 'R',
    allowKey: 'Enter',
    onceOnly: 'This command asks every time.',
    onceBare: '“Always allow” needs the sandbox.',
    /** Around the words of the command. */
    always: ['Always allow ', ' here'],
    alwaysThis: 'Always allow exactly this here',
    alwaysHelp: (isExact: boolean): string =>
      isExact
        ? 'This command no longer asks in this folder. It stays in the sandbox.'
        : 'Commands that begin with these words no longer ask in this folder. They stay in the sandbox.',
    hostScopes: { session: 'Allow this host for this session', folder: 'Always allow this host here' },
    hostScopeHelp: {
      session:
        'This session reaches this host without asking. After it has read texts that are not yours, each turn asks once.',
      folder:
        'Sessions in this folder reach this host without asking. In a session that has read texts that are not yours, each turn asks once.',
    },
    edit: 'Edit command',
    editKey: 'E',
    field: 'Command',
    allowEdited: 'Allow this version',
    original: 'The model asked for:',
    takeBack: 'Restore the original',
    takeBackKey: 'Esc',
    editHelp: 'The model is told that you changed it.',
  },
  switched: {
    title: (from: string, to: string): string => `${from} to ${to}`,
    head: 'Profile switched',
    model: (from: string, to: string): string => (from === to ? to : `${from} to ${to}`),
    waiting: 'cost known after the next reply',
    unknown: 're-read tokens unknown',
    read: (evaluated: number, prompt: number | null): string =>
      prompt === null
        ? `re-read ${count(evaluated)} tokens`
        : `re-read ${count(evaluated)} of ${count(prompt)} tokens`,
  },
  stopped: {
    appClosed: 'Stopped, because Andiron was closed.',
    /** `restMs`: until the engine was idle; null = not known. */
    title: (restMs: number | null): string =>
      restMs === null ? 'Stopped.' : `Stopped in ${precise(restMs)}.`,
    loaded: (model: string, vram: number | null): string =>
      vram
        ? `${model} is still in VRAM (${bytes(vram)}).`
        : `${model} is still loaded${vram === 0 ? ', in main memory' : ''}.`,
    unloaded: (model: string): string => `${model} is no longer loaded.`,
    unknown: (model: string): string => `Whether ${model} is still loaded is unknown.`,
    /** `counted`: which of the figures the engine itself has counted; the others are estimates. */
    kept: (kept: number, prompt: number, counted: 'kept' | 'both' | undefined): string => {
      if (counted === 'both' && kept === prompt) return `All ${count(kept)} prompt tokens kept.`;
      if (counted === 'both') return `${count(kept)} of ${count(prompt)} prompt tokens kept.`;
      // Where the rounding would hide the difference, or only one is rounded, the figures are told in full.
      const figure = kept < 10_000 || roughCount(kept) === roughCount(prompt) ? count : roughCount;
      if (counted === 'kept' && kept === prompt)
        return `${count(kept)} prompt tokens kept, about the whole prompt.`;
      if (counted === 'kept') return `${count(kept)} of about ${figure(prompt)} prompt tokens kept.`;
      return `About ${figure(kept)} of ${figure(prompt)} prompt tokens kept.`;
    },
    keptUnknown: 'How much of the prompt is kept is unknown.',
    finishing: 'Ollama is finishing its last step.',
    closed: (ms: number): string => `Connection closed after ${precise(ms)}`,
    slots: {
      unproved: 'Checking whether its slot still answers.',
      cured: (ms: number | null): string =>
        ms === null
          ? 'Ollama lost its slot when the answer was stopped; the model was loaded again.'
          : `Ollama lost its slot when the answer was stopped; reloaded in ${tenths(ms)}.`,
      lost: 'Ollama lost its slot when the answer was stopped, and loading again did not bring it back. Unload the model before you go on.',
    },
    /** `isIdle`: no turn of the session runs by now. */
    ran: (files: number, commands: number, isIdle: boolean): string => {
      const parts = [
        files > 0 && `${plural(files, 'file', 'files')} written`,
        commands > 0 && `${plural(commands, 'command', 'commands')} ran`,
        isIdle && 'nothing is running now',
      ].filter(Boolean);
      const sentence = parts.join(', ');
      if (sentence === '') return '';
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    },
  },
  failedTitle: 'The turn failed',
  failedAdvice: 'Continue picks up from here.',
  capped: (iterations: number): string => `${plural(iterations, 'step', 'steps')} used,`,
  cappedText: 'the limit of the profile',
  cappedSteps: (done: number, steps: number): string =>
    `${count(done)} of ${plural(steps, 'plan step is', 'plan steps are')} done`,
  interrupted: 'Interrupted',
  interruptedText: 'Andiron closed during this turn',
  cutTitle: 'Answer cut off',
  cutText: 'it reached the output limit',
  continue: 'Continue',
  /** What Continue sends. */
  continueMessage: 'Continue.',
  putBack: 'Edit message',
  remedies: {
    unload: (model: string, vram: number): string => `Unload ${model}, frees ${bytes(vram)}`,
    newSession: 'New session',
    fixed: (model: string): string => `Use ${model} with constrained calls`,
    fixedHelp: (profile: string, builtIn: boolean): string =>
      `Sets this in the profile ${profile}${builtIn ? ', in your own copy' : ''}, and continues`,
    measured: (valid: number, asked: number): string =>
      `Measured here: ${valid} of ${asked} constrained calls correct.`,
    notMeasured: 'Constrained calls were not measured here.',
    chat: 'Chat only',
    chatHelp: (profile: string): string => `Continues with the profile ${profile}, which has no tools`,
  },
  ...turnWords,
  phases: {
    lease: 'Waiting for the GPU',
    engine: 'Waiting for Ollama',
    loading: 'Loading the model',
    loadingModel: (model: string): string => `Loading ${model}`,
    checking: 'Checking how this model calls tools (once)',
    compacting: 'Summarising older turns',
    prefill: 'Reading the prompt',
    thinking: 'Thinking',
    text: 'Writing',
    call: 'Writing a tool call',
    approval: 'Waiting for you',
    tool: 'Running a tool',
    stopping: 'Stopping',
    sending: 'Sending',
  },
  compactingHelp: 'You still see the older turns. The model reads the summary instead.',
  prefill: {
    measured: 'measured',
    predicted: 'predicted',
    left: (secondsLeft: number): string => `${seconds(Math.ceil(secondsLeft) * 1000)} left`,
    /** Of a bar, for who cannot see it. */
    label: (read: number, toRead: number): string => `${count(read)} of ${count(toRead)} tokens read`,
    cached: 'from cache',
    read: (toRead: number): string => `of ${count(toRead)} read`,
    readSoFar: 'read',
    toRead: 'to read',
    blindLabel: (toRead: number): string => `${count(toRead)} tokens to read`,
    rate: (tokens: number, ms: number): string | null =>
      tokenRate(tokens, ms)?.replace('tok/s', 'tokens/s') ?? null,
    late: 'This takes longer than predicted. The model server reports no progress.',
    lateMeasured: 'This takes longer than predicted.',
    keeps: 'Stop keeps what has been read.',
  },
  cancelLoad: 'Cancel load',
  cancelLoadHelp: 'Stop keeps the load running. This cancels it.',
  prefillHelp: 'You can stop at any time. The model stays loaded.',
  leaseWarmHelp: 'Andiron is preloading a prompt. This turn starts next and reuses what they share.',
  leaseHelp: 'Another turn has the GPU. This one starts when the GPU is free.',
  leaseAhead: (turns: number): string => `${String(turns)} turns come before this one.`,
  engineHelp: {
    away: 'Start Ollama, and the turn continues. Otherwise the turn ends and keeps its work.',
    coming: 'Andiron is looking for Ollama or starting it. The turn then continues.',
  },
  elapsed: (ms: number): string => `${seconds(ms)} so far`,
  about: (ratio: number): string => `about ${percent(ratio)}`,
  expected: (ms: number): string => `last time ${tenths(ms)}`,
  longer: (ms: number): string => `longer than last time (${tenths(ms)})`,
  announce: {
    working: 'Working.',
    asks: (summary: string): string => `Andiron asks for permission: ${summary}`,
    finished: 'Finished.',
    cut: 'The answer was cut off.',
    stopped: 'Stopped.',
    failed: 'The turn failed.',
    capped: 'The step limit was reached.',
    interrupted: 'Interrupted.',
  },
  first: {
    title: 'Ready when you are',
    titleNoModel: 'What should Andiron do?',
    loaded: (model: string, gpu: string | null): string =>
      gpu === null ? `${model} is loaded.` : `${model} is loaded on your ${gpu}.`,
    loading: (model: string): string => `Loading ${model}. You can start typing.`,
    cold: (model: string): string => `${model} loads with your first message.`,
    elsewhere: (model: string): string => `${model} runs on another server.`,
    noFolder: 'No folder chosen yet',
    chooseFolder: 'Choose your own folder',
    pathLabel: 'Path of the folder',
    takePath: 'Use this folder',
    suggestions: 'Try',
    suggest: [
      'What is in this folder? Read the readme and tell me what it does.',
      'Find the parts without tests and list them by risk.',
      'Explain how this project is built and run.',
    ],
  },
} as const;
