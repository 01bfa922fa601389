/** Ollama's error texts while it pulls → what happened and what to do next. */
import { AndironError, asSentence, type ErrorCode } from '../protocol/errors.ts';
import { excerpt } from './failures.ts';
import type { StreamFailures } from './lines.ts';

interface KnownPullError {
  pattern: RegExp;
  code: ErrorCode;
  message(model: string, text: string): string;
  advice: string;
}

const kept = 'What came so far is kept.';

/** The first that matches counts. */
const knownPullErrors: readonly KnownPullError[] = [
  {
    pattern: /no space left on device|not enough space on the disk|disk quota exceeded/i,
    code: 'storage',
    message: (model) => `The disk on which Ollama keeps its models became full while ${model} came.`,
    advice: `${kept} Free some space there, then go on.`,
  },
  {
    pattern: /permission denied|access is denied|read-only file system/i,
    code: 'storage',
    message: (_model, text) => `Ollama may not write into the folder of its models: ${text}`,
    advice: 'Give Ollama the right to write there, then go on.',
  },
  {
    pattern: /file does not exist|manifest unknown|repository not found/i,
    code: 'model_missing',
    message: (model) => `The library has no ${model}.`,
    advice: 'Check the name and the tag behind its colon.',
  },
  {
    pattern: /newer version of ollama/i,
    code: 'engine_refused',
    message: (model) => `${model} needs a newer Ollama.`,
    advice: 'Update Ollama, then go on.',
  },
  {
    pattern: /digest mismatch/i,
    code: 'engine_refused',
    message: (model) => `What came of ${model} was damaged on the way, so Ollama threw that part away.`,
    advice: 'Download it again. Only the damaged part is downloaded.',
  },
  {
    pattern: /unauthorized|access denied|\b40[13]\b/i,
    code: 'engine_refused',
    message: (model, text) => `The library does not give ${model} out: ${text}`,
    advice: 'Choose another model, or sign in with: ollama signin',
  },
  {
    // Between Ollama and the library: a later try may well succeed.
    pattern:
      /dial tcp|lookup |no such host|connection re(?:set|fused)|broken pipe|timeout|timed out|deadline exceeded|TLS handshake|unreachable|max retries|stalled|\bEOF\b|\b(?:429|50[0234])\b/i,
    code: 'stream_cut',
    message: (_model, text) => `Ollama's connection to the library broke: ${text}`,
    advice: `${kept} Check the network, then go on.`,
  },
];

/** An error line of the stream, or the body of a refused request. */
export function describePullError(model: string, raw: string): AndironError {
  const text = excerpt(raw);
  const known = knownPullErrors.find(({ pattern }) => pattern.test(text));
  if (known) return new AndironError(known.code, asSentence(known.message(model, text)), known.advice);
  return new AndironError(
    'engine_refused',
    asSentence(`Ollama could not pull ${model}: ${text}`),
    `${kept} Try again. If it happens again, restart Ollama.`,
  );
}

/** What a stream of pull lines is called when it breaks. */
export function pullFailures(model: string): StreamFailures {
  return {
    errorLine: (raw) => describePullError(model, raw),
    broken: (what, cause) =>
      new AndironError(
        'stream_broken',
        `What Ollama told about the download of ${model} could not be read: ${what}.`,
        `${kept} Resume it. If it happens again, restart Ollama.`,
        { cause },
      ),
    cut: (cause) =>
      new AndironError(
        'stream_cut',
        `The connection to Ollama broke while ${model} was being downloaded.`,
        `${kept} Go on when Ollama runs again.`,
        { cause },
      ),
  };
}
