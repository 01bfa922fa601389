/** The command line, the same for the desktop app and the headless server. */
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** 0 = any free port. */
  port: number;
  /** null = the platform's own place. */
  dataDir: string | null;
  demo: boolean;
  /** Address of the model server; null = found by the engine. */
  engineUrl: string | null;
  /** Workspace of new sessions; null = the first message of a session asks for one. */
  workspace: string | null;
  /** The headless server opens the page in the browser; the desktop app has a window anyway. */
  open: boolean;
  /** false = the command line alone is served, until nobody uses it and whoever started it is gone. */
  page: boolean;
  help: boolean;
}

/** Wrong arguments: the message is for the person who typed them. */
export class UsageError extends Error {}

const flags = {
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  demo: { type: 'boolean' },
  'engine-url': { type: 'string' },
  workspace: { type: 'string' },
  headless: { type: 'boolean' },
  open: { type: 'boolean' },
  'no-page': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export const usage = `Usage: npm start -- [options]
  --headless          only print the address; open nothing
  --no-page           serve no page, only the command line
  --open              open the address in the browser (the default where there is no desktop window)
  --demo              run against the simulated engine, with a sample workspace
  --workspace FOLDER  folder of new sessions (default: each asks for one)
  --engine-url URL    address of Ollama (default: OLLAMA_HOST, then http://127.0.0.1:11434)
  --data-dir FOLDER   where Andiron keeps its data
  --port NUMBER       port of the page (default: any free one)
  --help              this text`;

/** Throws UsageError. `--headless` is the launcher's; here it says nothing new. */
export function parseOptions(args: readonly string[]): StartOptions {
  const values = readFlags(args);
  const options = {
    port: readPort(values.port),
    dataDir: values['data-dir'] ?? null,
    demo: values.demo ?? false,
    engineUrl: readUrl(values['engine-url']),
    workspace: values.workspace ?? null,
    open: values.open ?? false,
    page: !(values['no-page'] ?? false),
    help: values.help ?? false,
  };
  if (options.demo && options.engineUrl !== null) {
    throw new UsageError('--demo starts its own engine, so --engine-url cannot be given with it.');
  }
  return options;
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Ours among arguments that are also meant for Chromium (`--no-sandbox`) or the system. */
export function ownArguments(args: readonly string[]): string[] {
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  return tokens.flatMap((token) => {
    if (token.kind !== 'option' || !(token.name in flags)) return [];
    return token.value === undefined ? [`--${token.name}`] : [`--${token.name}=${token.value}`];
  });
}

function readPort(value: string | undefined): number {
  if (value === undefined) return 0;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new UsageError(`--port takes a number up to 65535, not ${value}.`);
  return port;
}

function readUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--engine-url takes an http address such as http://127.0.0.1:11434, not ${value}.`);
  }
  return value;
}
