import { bytes, count, percent, plural, tenths } from './figures.ts';

/** Why is it slow? Findings with their evidence, and fixes that can be undone. */
export const slow = {
  title: 'Why is it slow?',
  label: 'Why is it slow?',
  back: 'Back to the session',
  lead: (turns: number): string =>
    turns === 0
      ? 'Based on the current state.'
      : `Based on the last ${turns === 1 ? 'turn' : `${count(turns)} turns`}, slowest first.`,
  none: {
    title: 'Nothing is wrong',
    help: 'The model is fully on the GPU, and nothing was re-read or reloaded.',
    speed: (reads: number | null, writes: number | null): string =>
      [
        reads !== null && `It read ${count(Math.round(reads))} tokens a second`,
        writes !== null &&
          `${reads === null ? 'It wrote' : 'wrote'} ${writes < 10 ? writes.toFixed(1) : count(Math.round(writes))} a second`,
      ]
        .filter((part) => part !== false)
        .join(' and '),
    speedEnd: 'This is its normal speed here. A smaller model is faster.',
  },
  unknown: 'Andiron can’t tell until Ollama answers.',
  cost: (ms: number): string => `cost about ${tenths(ms)}`,
  costUnknown: 'cost unknown',
  ongoing: 'every reply',
  done: 'Done.',
  undo: 'Undo',
  undone: 'Undone.',

  spill: {
    title: (model: string, share: number): string => `${percent(share)} of ${model} runs on the CPU`,
    evidence: (inVram: number, size: number): string => `${bytes(inVram)} of its ${bytes(size)} are in VRAM.`,
    others: (held: number): string => `Other programs hold ${bytes(held)} of VRAM.`,
  },
  noGpu: {
    title: 'Andiron found no GPU',
    evidence: 'Models run on the CPU, many times slower than on a GPU.',
  },
  throttled: {
    title: 'The GPU is throttling',
    causes: { heat: 'It is too hot', power: 'It is at its power limit', other: 'Its driver says so' },
    evidence: (cause: string, celsius: number | null, watts: number | null): string =>
      `${cause}${celsius === null ? '' : `: ${Math.round(celsius)} °C`}${watts === null ? '' : `, ${Math.round(watts)} W`}.`,
    help: 'Improve the cooling or raise the power limit. Andiron can change neither.',
  },
  reread: {
    title: (tokens: number): string => `${count(tokens)} tokens were re-read`,
    evidence: (cause: string, requests: number): string =>
      `Because ${cause}, in ${plural(requests, 'step', 'steps')}.`,
    told: (what: string, requests: number): string => `${what}, in ${plural(requests, 'step', 'steps')}.`,
    help: {
      andiron: 'Andiron changed its prompt. Report it if it happens in every turn.',
      template: 'The template of this model does that. A model of another family avoids it.',
      engine: 'A model that stays loaded avoids it.',
      checkpoint: 'A model of another family avoids it.',
      other_program: 'Keep other programs off this Ollama, or use the bundled one.',
      person: 'You chose this. It costs time only once.',
      unknown:
        'The cause is unknown. If it happens again, report it with the diagnostics from Settings, About.',
    },
  },
  /** Where the model stays loaded anyway. */
  keptAlready:
    'Andiron keeps the model loaded already. Close programs that use GPU memory, or choose a smaller model.',
  load: {
    title: (loads: number): string =>
      `The model was loaded ${loads === 1 ? 'once' : `${count(loads)} times`}`,
    evidence: (ms: number): string => `Loading took ${tenths(ms)} in these turns.`,
  },
  incident: {
    titles: {
      reload: 'The model was reloaded unexpectedly',
      spill: 'A part of the model went to the CPU',
      evicted: 'The model was unloaded from VRAM',
      slot_lost: 'Ollama lost its slot',
      wasted_warm_up: 'Preloading didn’t help',
      refused_grammar: 'A constrained reply was refused',
      throttled: 'The GPU was throttled',
      other_program: 'Another program used the model',
      runner_died: 'The model’s process died',
    },
    times: (times: number): string => `${plural(times, 'time', 'times')} in the last half hour.`,
    /** Of those that came without advice. */
    help: {
      reload: 'Keep other programs off this Ollama, or use the bundled one.',
      evicted: 'Keep other programs off this Ollama, or use the bundled one.',
      slot_lost: 'Andiron has loaded the model again. If it happens often, update Ollama.',
      wasted_warm_up: 'There is nothing to do. Andiron has turned this off.',
      refused_grammar:
        'Andiron asked in another way, so there is nothing to do. A newer Ollama may accept it.',
      other_program: 'Close that program, or free the GPU for it while you need it.',
      runner_died: 'If it happens again, close programs that use GPU memory, or choose a smaller context.',
    },
  },
  window: {
    title: (ratio: number): string => `The context is ${percent(ratio)} full`,
    evidence: (used: number, window: number): string =>
      `${count(used)} of ${count(window)} tokens are used, so older turns are summarised often.`,
    help: 'Summarise older turns, or continue in a new session.',
  },
  prompt: {
    title: 'The prompt is long',
    evidence: (tokens: number, ms: number): string =>
      `${count(tokens)} new tokens took ${tenths(ms)} to read, before the first word.`,
  },
  waits: {
    title: 'Turns wait for the GPU',
    evidence: (holder: string, waiting: number): string =>
      `${holder} uses it. ${plural(waiting, 'other waits', 'others wait')}.`,
    help: 'Wait, or stop the turn that is running.',
  },
  others: {
    title: 'Other programs work on the GPU',
    evidence: (held: number, busy: number): string =>
      `They hold ${bytes(held)} of VRAM, and the GPU is ${percent(busy)} busy while no turn runs.`,
    help: 'Pausing them gives the GPU back to the model.',
  },
  tools: {
    title: (tool: string): string => `Tools took most of the time, ${tool} above all`,
    evidence: (ms: number, ratio: number): string =>
      `${tenths(ms)}, ${percent(ratio)} of the last turn: no model time.`,
    help: 'The model is not the cause. Try a faster or narrower command.',
  },
  writing: {
    title: 'The model writes slower than before',
    evidence: (now: string, before: string): string => `${now} tokens a second, ${before} before.`,
    help: 'Long conversations slow the model down. A summary shortens them.',
  },
  fix: {
    window: (tokens: number): string => `Context of ${count(tokens)}`,
    eject: (model: string): string => `Unload ${model}`,
    ejectEffect: (vram: number): string => `frees ${bytes(vram)}`,
    keepAlways: 'Keep loaded always',
    keepEffect: 'the model stays in VRAM when Andiron is closed',
    compact: 'Summarise now',
    compactEffect: 'one extra request, can be undone in the transcript',
    reload: 'Load again',
    tools: 'Choose fewer tools',
    toolsEffect: 'fewer tokens before each session’s first word',
    models: 'Choose another model',
    modelsEffect: 'opens the library',
    hosts: 'Engine settings',
    hostsEffect: 'the bundled Ollama',
  },
} as const;
