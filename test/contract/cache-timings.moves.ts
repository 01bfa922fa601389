/**
 * The moves of engine-truth/timings.json as token counts, in the order in which they were made.
 *
 * Per family and move: the length of the prompt and the tokens it shares with the prompt of the move named in
 * `from`. The counts in common follow from the full-attention family rnd-llama, which finds exactly what is in
 * common:
 * - a prompt that is kept as a whole there is kept as a whole in every family, less the opening of a reply that
 *   the family does not repeat in its history;
 * - where a user's text changes, the point lies as many tokens before the end of the earlier prompt as on
 *   rnd-llama, plus what the family closes a user message with beyond that (gemr 4 tokens, rnd-qwen35 3: seen in
 *   the length of the dummy chat over the raw warm-up text). "Folder" is the fifth token of the first message.
 * Openings and heads come from engine-truth/renders and the vocabulary:
 * - gemr (gemma4 renderer on a Gemma 3 vocabulary, thinking by default) ends a prompt behind a tool result with a
 *   thought opener; a call in the history shares all but 4 tokens of it, a text all but 7;
 * - rnd-qwen35 opens with `<think>` and a line break, whose last token is lost at the next tool step; at a new
 *   user message the empty thoughts of the turn before vanish, back to its first reply, all 3 tokens of the
 *   opening included. Tools stand first in its head, so sessions have 1,088 tokens in common: the 1,347 before
 *   the user's text less 254 of system text and 5 of markup.
 */
export interface Move {
  name: string;
  /** Where the record has it: keys joined by dots. */
  record: string;
  from: string | null;
  /** num_predict of the request. */
  predict: number;
  /** The model was unloaded before. */
  fresh?: true;
}

export const MOVES: readonly Move[] = [
  { name: 'warm raw', record: 'warm_raw_then_first_message.warm', from: null, predict: 1, fresh: true },
  { name: 'first after raw', record: 'warm_raw_then_first_message.first', from: 'warm raw', predict: 8 },
  { name: 'warm chat', record: 'warm_chat_then_first_message.warm', from: null, predict: 1, fresh: true },
  { name: 'first after chat', record: 'warm_chat_then_first_message.first', from: 'warm chat', predict: 8 },
  { name: 'tool step 1', record: 'tool_loop.0', from: 'first after chat', predict: 8 },
  { name: 'tool step 2', record: 'tool_loop.1', from: 'tool step 1', predict: 8 },
  { name: 'tool step 3', record: 'tool_loop.2', from: 'tool step 2', predict: 8 },
  { name: 'tool step 4', record: 'tool_loop.3', from: 'tool step 3', predict: 8 },
  { name: 'side call', record: 'side_call_then_next_message.side', from: 'tool step 4', predict: 8 },
  { name: 'after side call', record: 'side_call_then_next_message.next', from: 'side call', predict: 8 },
  { name: 're-warm', record: 'rewarm_then_next_message.warm', from: 'after side call', predict: 1 },
  { name: 'after re-warm', record: 'rewarm_then_next_message.next', from: 're-warm', predict: 8 },
  { name: 'other', record: 'other_conversation_and_back.other', from: 'warm chat', predict: 8 },
  { name: 'back', record: 'other_conversation_and_back.back', from: 'after re-warm', predict: 8 },
  { name: 'edit of first', record: 'edit_of_first_message', from: 'back', predict: 8 },
  { name: 'prefill', record: 'prefill_full', from: 'warm chat', predict: 1 },
];

/** Made last; cut short in the record, then sent again. */
export const CANCELLED: Move = {
  name: 'cancel in prefill',
  record: 'cancel_in_prefill_then_same.cancel',
  from: 'warm chat',
  predict: 8,
};

/** [prompt length, tokens in common with `from`] */
type Counts = readonly [number, number];

export interface Family {
  memory: { kind: 'full' } | { kind: 'sliding'; window: number } | { kind: 'recurrent' };
  /** In the order of MOVES, then CANCELLED. */
  counts: readonly Counts[];
  /** Where user messages start, for the moves through a native path. */
  userStarts?: Readonly<Record<string, readonly number[]>>;
}

const fullAttention: Family = {
  memory: { kind: 'full' },
  counts: [
    [1244, 0],
    [1317, 1244],
    [1249, 0],
    [1315, 1242],
    [1572, 1315],
    [1832, 1572],
    [2092, 1832],
    [2354, 2092],
    [2373, 2354],
    [2412, 2361],
    [2450, 2412],
    [2499, 2450],
    [2470, 7],
    [2545, 2499],
    [2545, 1246],
    [8446, 7],
    [8437, 7],
  ],
};

const recurrentNative: Family = {
  memory: { kind: 'recurrent' },
  counts: [
    [1349, 0],
    [1425, 1349],
    [1357, 0],
    [1423, 1347],
    [1692, 1422],
    [1964, 1691],
    [2236, 1963],
    [2510, 2235],
    [2505, 1420],
    [2544, 2490],
    [2579, 2541],
    [2631, 2579],
    [2578, 1088],
    [2677, 2628],
    [2677, 1351],
    [8554, 1088],
    [8545, 1088],
  ],
  userStarts: {
    'first after raw': [1346],
    'warm chat': [1344],
    'first after chat': [1344],
    'tool step 1': [1344],
    'tool step 2': [1344],
    'tool step 3': [1344],
    'tool step 4': [1344],
    'side call': [1344, 2487],
    'after side call': [1344, 2487],
    'after re-warm': [1344, 2487, 2576],
    other: [1344],
    back: [1344, 2487, 2576, 2632],
    'edit of first': [1344, 2487, 2576, 2632],
    prefill: [1344],
    'cancel in prefill': [1344],
  },
};

export const FAMILIES: Readonly<Record<string, Family>> = {
  'rnd-llama': fullAttention,
  q05: {
    memory: { kind: 'full' },
    counts: [
      [1235, 0],
      [1308, 1235],
      [1240, 0],
      [1306, 1233],
      [1558, 1306],
      [1813, 1558],
      [2068, 1813],
      [2325, 2068],
      [2344, 2325],
      [2383, 2332],
      [2421, 2383],
      [2470, 2421],
      [2461, 7],
      [2516, 2470],
      [2516, 1237],
      [8437, 7],
      [8428, 7],
    ],
  },
  gemr: {
    memory: { kind: 'sliding', window: 512 },
    counts: [
      [1238, 0],
      [1314, 1238],
      [1249, 0],
      [1314, 1238],
      [1578, 1314],
      [1836, 1574],
      [2094, 1832],
      [2352, 2090],
      [2373, 2345],
      [2413, 2357],
      [2455, 2413],
      [2509, 2455],
      [2448, 7],
      [2563, 2509],
      [2563, 1242],
      [8248, 7],
      [8248, 7],
    ],
  },
  'rnd-lfm2': {
    memory: { kind: 'recurrent' },
    counts: fullAttention.counts,
    userStarts: {
      'first after raw': [1241],
      'warm chat': [1239],
      'first after chat': [1239],
      'tool step 1': [1239],
      'tool step 2': [1239],
      'tool step 3': [1239],
      'tool step 4': [1239],
      'side call': [1239, 2358],
      'after side call': [1239, 2358],
      'after re-warm': [1239, 2358, 2447],
      other: [1239],
      back: [1239, 2358, 2447, 2503],
      'edit of first': [1239, 2358, 2447, 2503],
      prefill: [1239],
      'cancel in prefill': [1239],
    },
  },
  'rnd-qwen35': recurrentNative,
  'rnd-qwen35r': { memory: recurrentNative.memory, counts: recurrentNative.counts },
};
