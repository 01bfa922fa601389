/** The texts of Ollama's errors that a person can do something about. The first that matches counts. */
import type { ErrorCode } from '../protocol/errors.ts';

export interface KnownError {
  matches(text: string, status: number): boolean;
  code: ErrorCode;
  message(model: string, text: string): string;
  advice: string;
}

export const adviceOnOverflow = 'Start a new session, or give the profile a larger window.';

export const knownErrors: readonly KnownError[] = [
  {
    matches: (text) =>
      /^the prompt is longer than the context length|maximum context length|context size has been exceeded/i.test(
        text,
      ),
    code: 'context_overflow',
    message: () => 'The conversation no longer fits the window.',
    advice: adviceOnOverflow,
  },
  {
    matches: (text) => /failed to parse grammar|JSON schema conversion failed|^invalid format:/i.test(text),
    code: 'grammar_refused',
    message: (_model, text) => `Ollama refused the grammar of the reply: ${text}`,
    advice: 'Send again. If it happens again, choose another model for this session.',
  },
  {
    matches: (text) => /jinja|unable to generate parser|no user query found/i.test(text),
    code: 'template_refused',
    message: (model, text) => `The template of ${model} refuses this conversation: ${text.slice(0, 200)}`,
    advice: 'Start a new session, or choose another model.',
  },
  {
    matches: (_text, status) => status === 404,
    code: 'model_missing',
    message: (model) => `${model} is not installed.`,
    advice: 'Choose another model, or install it.',
  },
  {
    matches: (text) => text.includes('does not support tools'),
    code: 'model_without_tools',
    message: (model) => `${model} cannot call tools.`,
    advice: 'Choose a model with tools, or a profile without them.',
  },
  {
    matches: (text) => /image input is not supported|missing data required for image input/.test(text),
    code: 'model_without_vision',
    message: (model) => `${model} cannot see images.`,
    advice: 'Choose a model with vision, or take the images out of the message.',
  },
  {
    matches: (text) =>
      /(?:failed|unable) to (?:load|decode|process|make) (?:the )?(?:image|bitmap)|image: unknown format/i.test(
        text,
      ),
    code: 'attachment_invalid',
    message: (model, text) => `${model} could not read an image of this conversation: ${text}`,
    advice: 'Edit the message that has it, take the image out and send again.',
  },
  {
    matches: (text) => /does not support thinking|invalid think value|think must be/.test(text),
    code: 'engine_refused',
    message: (model, text) => `${model} does not take the profile's "think": ${text}`,
    advice: 'Change "think" in the profile or leave it out, then send again.',
  },
  {
    matches: (text) => text.includes('does not support chat'),
    code: 'engine_refused',
    message: (model) => `${model} is no model to talk to.`,
    advice: 'Choose another model.',
  },
  {
    matches: (text, status) => status === 401 || text.includes('cloud is disabled'),
    code: 'engine_refused',
    message: (model, text) => `${model} does not run on this machine: ${text}`,
    advice: 'Choose a model that is installed here.',
  },
  {
    matches: (_text, status) => status === 403,
    code: 'engine_refused',
    message: () => 'Ollama accepts no requests by the address that Andiron uses (403).',
    advice: 'Set OLLAMA_HOST to an address that it accepts, such as 127.0.0.1, and start Andiron again.',
  },
  {
    matches: (_text, status) => status === 503,
    code: 'engine_refused',
    message: (_model, text) => `Ollama is busy: ${text}`,
    advice: 'Wait for the other program, then send again.',
  },
  {
    matches: (text, status) =>
      status >= 500 && /parsing tool call|tool call arguments|^EOF$|XML syntax/i.test(text),
    code: 'reply_unusable',
    message: (model, text) => `Ollama could not read the tool call that ${model} wrote: ${text}`,
    advice: 'Send again, in smaller steps; a larger model makes fewer such mistakes.',
  },
  {
    matches: (text, status) => status >= 500 && text.includes('token repeat limit reached'),
    code: 'reply_repeated',
    message: (model) => `${model} wrote the same over and over, so Ollama stopped it.`,
    advice: 'Rephrase the message, or choose another model.',
  },
  {
    matches: (text, status) =>
      status >= 500 &&
      /terminated|unexpectedly stopped|running the model|resource limit|memory|unable to load|failed to load|only .* available/i.test(
        text,
      ),
    code: 'load_failed',
    message: (model, text) => `${model} could not be loaded or stopped running: ${text}`,
    advice: 'Free GPU memory, make the window smaller, or choose a smaller model. Then send again.',
  },
];
