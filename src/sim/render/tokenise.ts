/** A token is its own text, so that joined tokens are the text again. */
export type Token = string;

/** Marks in square brackets, which punctuation before them must not swallow. */
const BRACKETED = String.raw`\[\/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|INST|TOOL_RESULTS)\]|\[(?:TOOL_CALLS|CALL_ID|ARGS|TOOL_CONTENT)\]`;

/** Marks that a vocabulary holds as one token each: `<|im_end|>`, `<turn|>`, `<|"|>`, `<think>`, `[INST]`, … */
const SPECIAL = [
  String.raw`<\|[\w"]+\|?>|<[\w]+\|>|<\/?(?:think|tool_call|tool_response)>|<bos>`,
  String.raw`<(?:start|end)_of_turn>|<\/s>`,
  BRACKETED,
].join('|');

const TOKEN = new RegExp(
  [
    SPECIAL,
    String.raw` ?\p{L}{1,6}`,
    String.raw` ?\p{N}{1,3}`,
    String.raw` ?(?:(?!${BRACKETED})[^\s\p{L}\p{N}<]){1,3}`,
    String.raw` ?<`,
    String.raw`\n{1,4}`,
    // Indentation, less the space that goes with the next word.
    String.raw`[^\S\n]{1,16}(?!\S)`,
    String.raw`\s`,
  ].join('|'),
  'gu',
);

/**
 * Splits a prompt into tokens of about four characters, special ones whole. Equal texts give equal tokens, and
 * a text gives the tokens of any prefix of it that does not end inside a mark, but for the prefix's last one:
 * a longer token may begin there.
 */
export function tokenise(text: string): Token[] {
  return text.match(TOKEN) ?? [];
}
