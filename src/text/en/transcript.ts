import { bytes, count, percent, plural, precise, seconds, tenths } from '../format.ts';

/** The conversation: messages, tool rows, cards, receipts. */
export const transcript = {
  label: 'Transcript',
  loading: 'Loading the session',
  toEnd: 'Latest',
  thinking: (elapsedMs: number): string => `Thinking, ${seconds(elapsedMs)}`,
  thought: (ms: number): string => `Thought for ${seconds(ms)}`,
  cut: 'Cut off here',
  unshown: 'This could not be shown.',
  verbs: {
    read_file: 'Read',
    write_file: 'Write',
    edit_file: 'Edit',
    list_files: 'List',
    glob: 'Find',
    search: 'Search',
    run_command: 'Run',
    fetch_url: 'Fetch',
    spawn_agent: 'Agent',
    switch_profile: 'Switch',
  },
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
  repaired: (first: string, more: number): string =>
    more === 0 ? `mended: ${first}` : `mended: ${first} and ${more} more`,
  /** The whole of it, in the open card. */
  mended: (repairs: string[]): string => `Mended: ${repairs.join('; ')}`,
  facts: {
    lines: (first: number, last: number, total: number): string =>
      `lines ${count(first)}–${count(last)} of ${count(total)}`,
    entries: (total: number): string => plural(total, 'entry', 'entries'),
    hits: (hits: number, files: number): string =>
      hits === 0 ? 'no hits' : `${plural(hits, 'hit', 'hits')} in ${plural(files, 'file', 'files')}`,
    exit: (code: number): string => `exit ${code}`,
    signal: (name: string): string => `ended by ${name}`,
  },
  cutList: (shown: number, total: number): string => `${count(shown)} of ${count(total)} shown`,
  notSandboxed: 'not sandboxed',
  sandboxed: 'sandboxed',
  argumentsLabel: 'Arguments',
  resultLabel: 'Result',
  outputLabel: 'Output',
  noOutput: 'No output.',
  approval: {
    label: 'Approval',
    titles: {
      execute: 'Allow this command?',
      write: 'Allow this change?',
      network: 'Allow this request?',
      read: 'Allow this read?',
    },
    risk: 'Risk',
    risks: {
      execute: 'runs a program',
      write: 'writes files',
      network: 'sends data over the network',
      read: 'reads only',
    },
    why: 'Why',
    where: 'Where',
    changes: 'Effect',
    nothing: 'Changes nothing',
    allowOnce: 'Allow once',
    allowSession: 'Allow for this session',
    decline: 'Decline',
    declineKey: 'D',
    allowKey: 'Enter',
    onceOnly: 'Session grants need the sandbox',
  },
  switched: {
    title: (from: string, to: string): string => `${from} to ${to}`,
    head: 'Profile switched',
    model: (from: string, to: string): string => (from === to ? to : `${from} to ${to}`),
    waiting: 'price known with the next reply',
    unknown: 'tokens read anew: unknown',
    read: (evaluated: number, prompt: number | null): string =>
      prompt === null
        ? `read ${count(evaluated)} tokens anew`
        : `read ${count(evaluated)} tokens anew of ${count(prompt)}`,
  },
  stopped: {
    title: (closedMs: number | null): string =>
      closedMs === null ? 'Stopped.' : `Stopped in ${precise(closedMs)}.`,
    loaded: (model: string, vram: number | null): string =>
      vram === null ? `${model} is still loaded.` : `${model} is still in VRAM (${bytes(vram)}).`,
    unloaded: (model: string): string => `${model} is no longer loaded.`,
    unknown: (model: string): string => `Whether ${model} is still loaded is unknown.`,
    ran: (files: number, commands: number): string => {
      const parts = [
        files > 0 && `${plural(files, 'file', 'files')} written`,
        commands > 0 && `${plural(commands, 'command', 'commands')} ran`,
        'nothing is running now',
      ].filter(Boolean);
      const sentence = parts.join(', ');
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    },
  },
  failedTitle: 'The turn failed',
  failedAdvice: 'Continue goes on from what is here.',
  capped: (iterations: number): string => `${plural(iterations, 'iteration', 'iterations')} used`,
  cappedText: 'the limit of the profile',
  interrupted: 'Interrupted',
  interruptedText: 'Andiron ended while this turn ran',
  continue: 'Continue',
  /** What Continue sends. */
  continueMessage: 'Continue.',
  putBack: 'Put the message back',
  remedies: {
    unload: (model: string, vram: number): string => `Unload ${model}, frees ${bytes(vram)}`,
    newSession: 'New session',
  },
  receipt: {
    label: (cached: number, fresh: number): string => `${count(cached)} tokens cached, ${count(fresh)} read`,
    unknownLabel: 'Cached tokens unknown',
    cached: 'cached',
    fresh: (ms: number | null): string => (ms === null ? 'new' : `new, ${tenths(ms)}`),
    unknown: 'Cached tokens unknown: this engine does not report them',
    written: 'written',
    requests: (requests: number): string => plural(requests, 'request', 'requests'),
    turn: (ms: number): string => `turn ${seconds(ms)}`,
  },
  phases: {
    lease: 'Waiting for the GPU',
    engine: 'Waiting for Ollama',
    loading: 'Loading the model',
    loadingModel: (model: string): string => `Loading ${model}`,
    compacting: 'Summarising older turns',
    prefill: 'Reading the prompt',
    thinking: 'Thinking',
    text: 'Writing',
    call: 'Writing a tool call',
    approval: 'Waits for you',
    tool: 'Running a tool',
    stopping: 'Stopping',
    sending: 'Sending',
  },
  prefillHelp: 'The engine says nothing while it reads. Stop at any time: the model stays loaded.',
  leaseHelp: 'Another turn has the GPU. This one begins when it is free.',
  engineHelp: {
    away: 'Start Ollama, and the turn goes on by itself. If it stays away, the turn ends and keeps what it has.',
    coming: 'It is being found or started. The turn then goes on by itself.',
  },
  elapsed: (ms: number): string => `${seconds(ms)} so far`,
  about: (ratio: number): string => `about ${percent(ratio)}`,
  expected: (ms: number): string => `last time ${tenths(ms)}`,
  longer: (ms: number): string => `longer than last time (${tenths(ms)})`,
  announce: {
    working: 'Working.',
    asks: (summary: string): string => `Andiron asks for permission: ${summary}`,
    finished: 'Finished.',
    stopped: 'Stopped.',
    failed: 'The turn failed.',
    capped: 'The iteration limit was reached.',
    interrupted: 'Interrupted.',
  },
  first: {
    title: 'Ready when you are',
    loaded: (model: string, gpu: string | null): string =>
      gpu === null ? `${model} is loaded.` : `${model} is loaded on your ${gpu}.`,
    cold: (model: string): string => `${model} is loaded with your first message.`,
    folderHelp: 'Andiron reads and writes inside this folder.',
    chooseFolder: 'Choose your own folder',
    pathLabel: 'Path of the folder',
    takePath: 'Use this folder',
    suggestions: 'To begin with',
    suggest: [
      'What is in this folder? Read the readme and tell me what it does.',
      'Find the parts without tests and list them by risk.',
      'Explain how this project is built and run.',
    ],
  },
} as const;
