/** The arguments of the command line, read once. */
import { gatewayPort } from '../protocol/way-methods.ts';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { maxAttachments } from '../protocol/attachment-limits.ts';
import { levels, type Level } from '../protocol/principal.ts';
import type { NewJob } from '../protocol/schedule-methods.ts';
import { readWhen } from './schedule-arguments.ts';
import type { UsageBy } from './usage-command.ts';

/** Which host: its data folder, and how one is started where none runs. */
interface HostChoice {
  /** null = the platform's own place. */
  dataDir: string | null;
  /** null = found by the engine. */
  engineUrl: string | null;
}

/** How a message is sent, and where. */
export interface TurnSettings {
  /** Absolute. */
  folder: string | null;
  profile: string | null;
  model: string | null;
  session: string | null;
  /** null = as the profile has it. */
  allow: 'reads' | 'none' | null;
  mayPlan: boolean;
  json: boolean;
}

export type TokenCommand = { name: 'token' } &
  /** `modules` null = all. */
  (
    | { action: 'create'; title: string; level: Level; modules: string[] | null }
    | { action: 'list'; json: boolean }
    | { action: 'revoke'; id: string }
  );

export type ScheduleCommand = { name: 'schedule' } & (
  | { action: 'list'; json: boolean }
  /** `profile` null = the default one. */
  | { action: 'add'; job: Omit<NewJob, 'profileId'> & { profile: string | null } }
  | { action: 'remove' | 'run'; id: string }
);

export type Command = HostChoice &
  (
    | { name: 'help' }
    | { name: 'acp' }
    /** 0 = any free port. */
    | { name: 'gateway'; port: number }
    | TokenCommand
    | ScheduleCommand
    | { name: 'usage'; by: UsageBy; json: boolean }
    /** `text` null = it comes from stdin. */
    | ({ name: 'exec'; text: string | null; files: string[] } & TurnSettings)
    | ({ name: 'chat' } & TurnSettings)
    | { name: 'sessions' | 'models'; json: boolean }
    /** `session` null = all that run. */
    | { name: 'stop'; session: string | null }
  );

/** Wrong arguments; the message is for the person who typed them. */
export class CliUsageError extends Error {}

export const cliUsage = `Usage: andiron COMMAND [options]
  andiron exec "MESSAGE"    send one message; the answer goes to stdout
  andiron exec -            the same, with the message from stdin
  andiron chat              send messages in one session, line by line
  andiron sessions          list sessions
  andiron models            list the models of Ollama
  andiron stop [SESSION]    stop a session, or everything that runs
  andiron acp               serve an editor over stdin and stdout (ACP)
  andiron gateway           serve programs on this machine (OpenAI's API)
  andiron token create NAME make a token for a program
  andiron token list        list tokens
  andiron token revoke ID   revoke a token
  andiron schedule list     list jobs, what became of each, and when it is next
  andiron schedule add NAME "TASK"
                            add a job; one of --at, --every, --cron says when
  andiron schedule remove ID
                            remove a job
  andiron schedule run ID   run a job now and wait for its answer
  andiron usage             tokens by model, and in all

Options of exec and chat:
  --folder PATH             where the session works (default: this folder)
  --session ID              continue a session
  --profile ID              use this profile
  --model NAME              use this model
  --allow reads|none        ask before edits and commands, or before every call
                            (default: as set in the profile)
  --no-plan                 answer without a plan
  --json                    print events as JSON lines, then one result
  --file PATH               attach a file (exec; may be repeated)

Options of gateway and token create:
  --port N                  port of the gateway (default: 11480)
  --level LEVEL             guest, user, admin or owner (default: guest)
  --modules A,B             modules whose tools may be used (default: all)

Options of schedule add:
  --at TIME                 once, such as 2026-11-28T07:00, which is a time of
                            this computer
  --every MINUTES           again and again
  --cron "M H D M W"        by a cron expression, in the time zone of this
                            computer or of --time-zone
  --time-zone ZONE          of --cron, such as Europe/Berlin
  --folder PATH             where it works (default: a folder of its own)
  --profile ID              use this profile
  --skip-missed             do not make up for a run that was missed

Options of usage:
  --by model|day|person     what the lines are for (default: model)
  --json                    print JSON lines (also of lists)

Options of every command:
  --data-dir FOLDER         where Andiron keeps its data
  --engine-url URL          address of Ollama, if Andiron is not running yet
  --help                    show this text

Without a terminal, questions are denied.
Exit codes: 0 done, 1 wrong use, 2 refused or failed, 3 stopped, 4 step limit.`;

const ofHost = {
  'data-dir': { type: 'string' },
  'engine-url': { type: 'string' },
  help: { type: 'boolean' },
} as const;
const json = { json: { type: 'boolean' } } as const;
const ofTurn = {
  ...json,
  folder: { type: 'string' },
  profile: { type: 'string' },
  model: { type: 'string' },
  session: { type: 'string' },
  allow: { type: 'string' },
  'no-plan': { type: 'boolean' },
} as const;

type Values = Record<string, string | boolean | string[] | undefined>;

/** First words of a command line, by which a program that is also something else knows one. */
export const commandWords: readonly string[] = [
  'exec',
  'chat',
  'sessions',
  'models',
  'stop',
  'acp',
  'gateway',
  'token',
  'schedule',
  'usage',
  'help',
  '--help',
  '-h',
];

/** Throws CliUsageError. `cwd`: what relative paths are relative to. */
export function parseCommand(args: readonly string[], cwd: string): Command {
  const [name = '', ...rest] = args;
  switch (name) {
    case 'exec':
      return parseExec(rest, cwd);
    case 'chat': {
      const { values } = read(rest, ofTurn, 0);
      return values['help'] === true ? help : { name, ...hostOf(values, cwd), ...turnOf(values, cwd) };
    }
    case 'sessions':
    case 'models': {
      const { values } = read(rest, json, 0);
      return values['help'] === true ? help : { name, ...hostOf(values, cwd), json: values['json'] === true };
    }
    case 'stop': {
      const { values, positionals } = read(rest, {}, 1);
      return values['help'] === true
        ? help
        : { name, ...hostOf(values, cwd), session: positionals[0] ?? null };
    }
    case 'acp': {
      const { values } = read(rest, {}, 0);
      return values['help'] === true ? help : { name, ...hostOf(values, cwd) };
    }
    case 'gateway': {
      const { values } = read(rest, { port: { type: 'string' } }, 0);
      if (values['help'] === true) return help;
      return { name, ...hostOf(values, cwd), port: portOf(textOf(values['port'])) };
    }
    case 'token':
      return parseToken(rest, cwd);
    case 'schedule':
      return parseSchedule(rest, cwd);
    case 'usage': {
      const { values } = read(rest, { ...json, by: { type: 'string' } }, 0);
      if (values['help'] === true) return help;
      return { name, ...hostOf(values, cwd), by: byOf(textOf(values['by'])), json: values['json'] === true };
    }
    case 'help':
    case '--help':
    case '-h':
      return help;
    case '':
      throw new CliUsageError('Name a command.');
    default:
      throw new CliUsageError(`There is no command ${name}.`);
  }
}

const help: Command = { name: 'help', dataDir: null, engineUrl: null };

function parseExec(args: readonly string[], cwd: string): Command {
  const { values, positionals } = read(args, { ...ofTurn, file: { type: 'string', multiple: true } }, 1);
  if (values['help'] === true) return help;
  const files = [values['file'] ?? []].flat().map((path) => resolve(cwd, String(path)));
  if (files.length > maxAttachments)
    throw new CliUsageError(`A message can have ${String(maxAttachments)} files at most.`);
  const [text = '-'] = positionals;
  if (text.trim() === '') throw new CliUsageError('The message is empty.');
  return {
    name: 'exec',
    ...hostOf(values, cwd),
    ...turnOf(values, cwd),
    text: text === '-' ? null : text,
    files,
  };
}

function parseToken(args: readonly string[], cwd: string): Command {
  const options = { ...json, level: { type: 'string' }, modules: { type: 'string' } } as const;
  const { values, positionals } = read(args, options, 2);
  if (values['help'] === true) return help;
  const [action, subject = ''] = positionals;
  const common = { name: 'token', ...hostOf(values, cwd) } as const;
  if (action === 'list') return { ...common, action, json: values['json'] === true };
  if ((action === 'create' || action === 'revoke') && subject.trim() === '')
    throw new CliUsageError(action === 'create' ? 'Name the program.' : 'Name the id of a token.');
  if (action === 'revoke') return { ...common, action, id: subject };
  if (action !== 'create') throw new CliUsageError('token takes create, list or revoke.');
  const modules = textOf(values['modules']);
  return {
    ...common,
    action,
    title: subject,
    level: levelOf(textOf(values['level'])),
    modules: modules === null ? null : modules.split(',').filter((each) => each !== ''),
  };
}

const ofSchedule = {
  ...json,
  at: { type: 'string' },
  every: { type: 'string' },
  cron: { type: 'string' },
  'time-zone': { type: 'string' },
  folder: { type: 'string' },
  profile: { type: 'string' },
  'skip-missed': { type: 'boolean' },
} as const;

function parseSchedule(args: readonly string[], cwd: string): Command {
  const { values, positionals } = read(args, ofSchedule, 3);
  if (values['help'] === true) return help;
  const [action, subject = '', task = ''] = positionals;
  const common = { name: 'schedule', ...hostOf(values, cwd) } as const;
  if (action === 'list') return { ...common, action, json: values['json'] === true };
  if (action !== 'add' && action !== 'remove' && action !== 'run')
    throw new CliUsageError('schedule takes list, add, remove or run.');
  if (subject.trim() === '')
    throw new CliUsageError(action === 'add' ? 'Name the job.' : 'Name the id of a job.');
  if (action !== 'add') return { ...common, action, id: subject };
  if (task.trim() === '') throw new CliUsageError('Write the task after the name.');
  const { timeZone: hostZone } = Intl.DateTimeFormat().resolvedOptions();
  const [at, every, cron] = [textOf(values['at']), textOf(values['every']), textOf(values['cron'])];
  const when = readWhen({ at, every, cron, timeZone: textOf(values['time-zone']) }, hostZone);
  if (typeof when === 'string') throw new CliUsageError(when);
  const folder = textOf(values['folder']);
  const job = {
    name: subject,
    task,
    when,
    workspace: folder === null ? null : resolve(cwd, folder),
    profile: textOf(values['profile']),
    afterMissed: values['skip-missed'] === true ? ('skip' as const) : ('run_once' as const),
  };
  return { ...common, action, job };
}

function byOf(value: string | null): UsageBy {
  if (value === null) return 'model';
  if (value === 'model' || value === 'day' || value === 'person') return value;
  throw new CliUsageError(`--by takes model, day or person, not ${value}.`);
}

function levelOf(value: string | null): Level {
  const found = levels.find((level) => level === (value ?? 'guest'));
  if (found) return found;
  throw new CliUsageError(`--level takes ${levels.join(', ')}, not ${value ?? ''}.`);
}

function portOf(value: string | null): number {
  const port = value === null ? gatewayPort : Number(value);
  if (value !== '' && Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new CliUsageError(`--port takes a number from 0 to 65535, not ${value ?? ''}.`);
}

function read(args: readonly string[], options: ParseArgsOptionsConfig, maxPositionals: number) {
  const { values, positionals } = parsed(args, { ...ofHost, ...options });
  if (positionals.length > maxPositionals) {
    const [extra = ''] = positionals.slice(maxPositionals);
    throw new CliUsageError(
      maxPositionals === 0
        ? `${extra} was not expected.`
        : `${extra} was not expected. Put quotation marks around a text with spaces.`,
    );
  }
  return { values, positionals };
}

function parsed(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new CliUsageError(sayingWhy(error, Object.keys(options)), { cause: error });
  }
}

/** Node's own sentence about an option that is unknown tells mostly how to write a message that looks like one. */
function sayingWhy(error: unknown, known: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '(?<option>-[^']+)'/.exec(message)?.groups?.['option'];
  if (unknown === undefined) return message;
  const [meant] = known
    .filter((name) => isSlipOf(`--${name}`, unknown))
    .toSorted((a, b) => Math.abs(a.length + 2 - unknown.length) - Math.abs(b.length + 2 - unknown.length));
  return `There is no option ${unknown}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}

/** Letters that were left out, or are too many; not those that turn it round. */
function isSlipOf(option: string, written: string): boolean {
  if (option.startsWith('--no-') !== written.startsWith('--no-')) return false;
  const [short = '', long = ''] = [option, written].toSorted((a, b) => a.length - b.length);
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length && long.length - short.length <= 4;
}

const textOf = (value: Values[string]): string | null => (typeof value === 'string' ? value : null);

function hostOf(values: Values, cwd: string): HostChoice {
  const dataDir = textOf(values['data-dir']);
  return {
    dataDir: dataDir === null ? null : resolve(cwd, dataDir),
    engineUrl: textOf(values['engine-url']),
  };
}

function turnOf(values: Values, cwd: string): TurnSettings {
  const [session, folder] = [textOf(values['session']), textOf(values['folder'])];
  if (session !== null && folder !== null)
    throw new CliUsageError('A session keeps its folder: use either --session or --folder.');
  return {
    folder: session === null ? resolve(cwd, folder ?? '.') : null,
    session,
    profile: textOf(values['profile']),
    model: textOf(values['model']),
    allow: allowOf(textOf(values['allow'])),
    mayPlan: values['no-plan'] !== true,
    json: values['json'] === true,
  };
}

function allowOf(value: string | null): TurnSettings['allow'] {
  if (value === null || value === 'reads' || value === 'none') return value;
  throw new CliUsageError(`--allow takes reads or none, not ${value}.`);
}
