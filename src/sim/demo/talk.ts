/** What the demo says without looking at anything. */

export const ABOUT =
  'I am the demo model: a set of rules behind a simulated Ollama, not a neural network. ' +
  'The files I read, the commands I run and the edits I make are real, though, and so is everything around me.';

export const EXAMPLES = [
  'What is in this folder? Read the readme and tell me what it does.',
  'Search for "overdue".',
  'Run the tests.',
  'Create a file notes/today.md that says "Soup for Eleven came back".',
  'Replace "Mira" with "Noor" in data/books.csv.',
  'Write a long answer.',
  'Take your time.',
];

export const GREETING = `Hello. ${ABOUT}

Things to try:

${EXAMPLES.map((example) => `- ${example}`).join('\n')}`;

export const THANKS =
  'You are welcome. Press Stop while I answer, if you like: the model stays loaded and remembers what it has read.';

export const PATIENCE =
  'That was a minute of reading, made slow on purpose so that there is time to press Stop. ' +
  'Try it: what was read up to then stays in the cache, and asking again goes on from there.';

export const NO_TOOLS =
  'I was given no tools for this, so I cannot look at files or run anything. ' +
  'Choose a profile that has tools and ask me again; what I can do without them is talk.';

export const LONG_ANSWER = `# Why a local model starts fast or slowly

A language model on your own machine spends its time in three places. Knowing which one you are waiting for
is half of making it faster.

| phase | what happens | what it depends on |
|---|---|---|
| load | weights go from disk to graphics memory | size of the file, speed of the disk |
| prefill | the whole prompt is read once | length of the prompt that is *not* in the cache |
| decode | one token after the other is written | memory bandwidth of the card |

## Load

The file is read once and stays in graphics memory until it is unloaded. A model of 5.7 GB takes about three
seconds from a fast disk. If it does not fit, some layers stay in main memory, and **every** token waits for them:
a model that fits is often ten times faster than one that almost fits.

## Prefill

The engine keeps what it has read. A new prompt that *begins* with the same tokens only pays for the rest:

\`\`\`text
held     [ system | tools | message 1 | answer 1 ]
new      [ system | tools | message 1 | answer 1 | message 2 ]
paid     ........................................ [ message 2 ]
\`\`\`

Change one word near the start, and everything behind it is read again. So the rule for a client is short:

1. the start of a prompt never changes;
2. a conversation only grows at its end;
3. nothing that ticks, such as a clock, goes to the front.

A few lines show the idea:

\`\`\`ts
/** How many tokens of the new prompt the engine already holds. */
function reusable(held: number[], prompt: number[]): number {
  let shared = 0;
  while (shared < prompt.length && held[shared] === prompt[shared]) shared += 1;
  return Math.min(shared, prompt.length - 1);
}
\`\`\`

## Decode

Each token needs one pass over all weights, so the speed is roughly *bandwidth divided by size*:

| card | bandwidth | 5.7 GB model | 16.5 GB model |
|---|---|---|---|
| small | 250 GB/s | 44 tokens/s | 15 tokens/s |
| middle | 500 GB/s | 88 tokens/s | 30 tokens/s |
| large | 1,000 GB/s | 175 tokens/s | 61 tokens/s |

Smaller quantisations move fewer bytes and are faster for that reason alone.

## What to remember

> Reading is paid once if the prompt only grows. Writing is paid for every token. Loading is paid again
> whenever somebody asks for another window size, another model, or nothing at all for too long.

- Keep one model loaded rather than two that take turns.
- Keep the window as large as you need and no larger: its memory is reserved at load.
- Stop early and often. A stopped answer costs nothing more, and what was read stays read.
`;
