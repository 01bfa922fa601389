/** Commands that are written: `/name`, or `/name words`. Pure; what they run is in the registry. */
import type { Commands, PlainCommandId } from '../../commands/commands.ts';
import type { McpPrompt } from '../../../protocol/mcp-offers.ts';
import type { ItemOf, Profile } from '../../../protocol/model.ts';
import { composer } from '../../text.ts';

const text = composer.slash;

type SlashName = keyof typeof text.help;

export interface SlashOption {
  id: string;
  label: string;
  /** What may follow it. */
  args?: string;
  help: string;
  meta?: string;
  /** Why it cannot run now; null = it can. */
  why: string | null;
  /** What stands in the box when it is taken; null = taking it runs it. */
  completes: string | null;
  run: (run: Commands['run']) => unknown;
}

/** What the options are made of. */
export interface SlashContext {
  registry: Commands['registry'];
  sessionId: string | null;
  busy: boolean;
  /** The newest that is in force. */
  summary: ItemOf<'summary'> | null;
  profiles: readonly Profile[];
  profileId: string | null;
  models: readonly { name: string; help: string; meta: string }[];
  /** null = the profile decides. */
  chosenModel: string | null;
  /** Of servers of tools. */
  prompts: readonly McpPrompt[];
}

/** `words`: what is written behind the name; null = nothing, not even a space. */
export interface Written {
  name: string;
  words: string | null;
}

/** A command is all that is written; text that only begins like one is text. */
export function readSlash(draft: string): Written | null {
  const match = /^\/(\S*)(?:[^\S\n]+(.*))?$/u.exec(draft);
  return match ? { name: match[1] ?? '', words: match[2] ?? null } : null;
}

/** What can be meant, the likeliest first; none = it is text. */
export function slashOptions({ name, words }: Written, context: SlashContext): SlashOption[] {
  const wanted = name.toLowerCase();
  if (words === null) {
    const all = names.map((each) => named(each, context));
    const begins = all.filter(({ label }) => label.slice(1).startsWith(wanted));
    const others = all.filter((option) => !begins.includes(option) && hasAlias(option.id, wanted));
    return [...begins, ...others, ...promptsFor(wanted, context)];
  }
  const command = names.find((each) => each === wanted);
  if (!command) {
    const prompt = context.prompts.find((each) => promptName(each).toLowerCase() === wanted);
    return prompt ? [{ ...promptOption(prompt), why: words.trim() === '' ? null : text.noWords }] : [];
  }
  const plain = named(command, context);
  if (plain.why !== null || plain.completes === null) {
    return [words.trim() === '' ? plain : { ...plain, why: plain.why ?? text.noWords }];
  }
  const options = withWords[command]?.(words.trim(), context) ?? [];
  return options.length > 0 ? options : [{ ...plain, why: text.nothing(words.trim()) }];
}

const promptName = ({ server, name }: McpPrompt): string => `${server}:${name}`;

/** As many as somebody looks through. */
const maxPrompts = 50;

/** Those whose name begins so, with or without their server, then those that have it somewhere. */
function promptsFor(wanted: string, { prompts }: SlashContext): SlashOption[] {
  const ranked = prompts.flatMap((prompt) => {
    const name = promptName(prompt).toLowerCase();
    const begins = name.startsWith(wanted) || prompt.name.toLowerCase().startsWith(wanted);
    return begins || name.includes(wanted) ? [{ prompt, begins }] : [];
  });
  const likeliest = [...ranked.filter(({ begins }) => begins), ...ranked.filter(({ begins }) => !begins)];
  return likeliest.slice(0, maxPrompts).map(({ prompt }) => promptOption(prompt));
}

const promptOption = (prompt: McpPrompt): SlashOption => ({
  id: `prompt ${promptName(prompt)}`,
  label: `/${promptName(prompt)}`,
  help: prompt.description === '' ? prompt.title : prompt.description,
  why: null,
  completes: null,
  run: (run) => run('prompt/begin', { prompt }),
});

/** Other words for the same, as other programs have them. */
const aliases: Partial<Record<SlashName, readonly string[]>> = {
  new: ['begin', 'start'],
  reset: ['clear', 'empty'],
  compact: ['summarise', 'summarize', 'compress'],
  undo: ['uncompact'],
  attach: ['file', 'image', 'upload', 'add'],
  help: ['shortcuts', 'keys'],
  stop: ['cancel', 'abort', 'quit'],
  export: ['save', 'download'],
  settings: ['config', 'preferences', 'options'],
};

function hasAlias(id: string, wanted: string): boolean {
  return (aliases[id as SlashName] ?? []).some((alias) => alias.startsWith(wanted));
}

const plain: Partial<Record<SlashName, PlainCommandId>> = {
  new: 'session/new',
  fork: 'current/fork',
  attach: 'composer/attach',
  compact: 'current/compact',
  reset: 'current/reset',
  stop: 'turn/stop',
  settings: 'view/settings',
  help: 'view/shortcuts',
};

const names: SlashName[] = [
  'new',
  'model',
  'profile',
  'attach',
  'compact',
  'undo',
  'reset',
  'fork',
  'rename',
  'export',
  'stop',
  'settings',
  'help',
];

function named(name: SlashName, context: SlashContext): SlashOption {
  const base = { id: name, label: `/${name}`, help: text.help[name] };
  if (name === 'undo') return { ...base, ...undo(context) };
  const id = plain[name];
  if (id) {
    return { ...base, why: whyNot(id, context), completes: null, run: (run) => run(id) };
  }
  const needsSession = name === 'rename' || name === 'export';
  return {
    ...base,
    args: text.args[name as keyof typeof text.args],
    why: needsSession && context.sessionId === null ? context.registry['current/export'].why : null,
    completes: `/${name} `,
    run: () => undefined,
  };
}

/** The command's own reason speaks of all that can be in its way; which of them it is is known here. */
function whyNot(id: PlainCommandId, { registry, sessionId, busy }: SlashContext): string | null {
  const { enabled, why } = registry[id];
  if (enabled()) return null;
  if (sessionId === null && id.startsWith('current/')) return registry['current/export'].why;
  return busy || why === null ? text.why.busy : why;
}

function undo({ summary, busy }: SlashContext): Pick<SlashOption, 'why' | 'completes' | 'run'> {
  const why = summary === null ? text.why.noSummary : busy ? text.why.busy : null;
  return {
    why,
    completes: null,
    run: (run) => summary && run('compaction/undo', { itemId: summary.id }),
  };
}

/** Those that take words: one option for each thing that they can mean. */
const withWords: Partial<Record<SlashName, (words: string, context: SlashContext) => SlashOption[]>> = {
  rename: (title, { sessionId }) => [
    option('rename', title, {
      label: title === '' ? '/rename' : text.renameTo(title),
      help: title === '' ? text.renameEmpty : text.help.rename,
      why: title === '' ? text.renameEmpty : null,
      run: (run) => sessionId !== null && run('session/rename', { sessionId, title }),
    }),
  ],
  export: (form, { registry }) =>
    matching(['markdown', 'json'] as const, form, (each) => each).map((each) => {
      const id = each === 'json' ? 'current/export' : 'current/export-markdown';
      const { enabled, why } = registry[id];
      return option('export', each, {
        help: text.exports[each],
        why: enabled() ? null : why,
        run: (run) => run(id),
      });
    }),
  model: (words, { models, chosenModel }) => [
    ...matching([{ name: autoName }], words, ({ name }) => name).map(() =>
      option('model', autoName, {
        help: composer.model.auto,
        ...(chosenModel === null && { meta: text.current }),
        run: (run) => run('session/set-model', { model: null }),
      }),
    ),
    ...matching(models, words, ({ name }) => name).map(({ name, help, meta }) =>
      option('model', name, {
        help,
        meta: name === chosenModel ? text.current : meta,
        run: (run) => run('session/set-model', { model: name }),
      }),
    ),
  ],
  profile: (words, { profiles, profileId }) =>
    matching(profiles, words, ({ id, name }) => `${name} ${id}`).map(({ id, name, description }) =>
      option('profile', name, {
        help: description,
        ...(id === profileId && { meta: text.current }),
        run: (run) => run('session/set-profile', { profileId: id }),
      }),
    ),
};

/** What the person writes to let the profile decide. */
const autoName = 'auto';

function option(
  command: SlashName,
  words: string,
  more: Pick<SlashOption, 'help' | 'run'> & Partial<SlashOption>,
): SlashOption {
  return { id: `${command} ${words}`, label: words, why: null, completes: null, ...more };
}

function matching<T>(all: readonly T[], words: string, of: (one: T) => string): T[] {
  const wanted = words.toLowerCase();
  return all.filter((one) => of(one).toLowerCase().includes(wanted));
}
