import { useId, useState, type RefObject } from 'react';
import type { McpPrompt } from '../../../protocol/mcp-offers.ts';
import { composer as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { mentionAt, mentionOf, type Mention } from '../../components/mentions.ts';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useEngine, useHost, useSession, useUi } from '../../stores/stores.ts';
import { setDraft } from '../../stores/ui-store.ts';
import { useTarget } from '../../stores/use-target.ts';
import { readSlash, type SlashOption, slashOptions, type Written } from './slash.ts';
import { fits, maxQuery, useOffers, usePause, withOffers } from './mention-offers.tsx';
import { optionId, Suggestions, type SuggestionList } from './suggestions.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import { isBusy } from '../../stores/derive.ts';
import { abilityWords, listedModels, standingWords } from './model-words.ts';
import { useSpokenMemo } from '../../components/language.ts';
import styles from './composer.module.css';

interface Field {
  element: RefObject<HTMLTextAreaElement | null>;
  /** Key of the draft that it shows. */
  draft: string;
  text: string;
  /** null = it is not in the text: there is a selection, or the keyboard is elsewhere. */
  caret: number | null;
  /** Puts words in place of a part of the text, with the caret behind them. */
  type: (from: number, to: number, words: string) => void;
}

/** What the keyboard does to a list; false = nothing, so the key keeps its meaning. */
type OnKey = (key: 'ArrowDown' | 'ArrowUp' | 'Enter' | 'Tab' | 'Escape') => boolean;

/** The list that belongs to what is being written: commands, or files to name. */
export function useSuggestions(field: Field) {
  const { run } = useCommands();
  const { ui } = useStores();
  const { workspace } = useTarget();
  const id = useId();
  const [left, setLeft] = useState<string | null>(null);
  const [place, setPlace] = useState({ of: '', at: 0 });

  const slash = useSlash(field.caret === null ? null : readSlash(field.text));
  const mention = field.caret === null || slash.length > 0 ? null : mentionAt(field.text, field.caret);
  const token = slash.length > 0 ? 'slash' : mention ? `mention ${mention.from}` : null;
  if (left !== null && left !== token) setLeft(null);
  const open = token !== null && token !== left;
  const wanted = open && mention ? mention.path : null;
  const found = useFiles(workspace, wanted);
  const offers = useOffers(wanted);
  // Before a folder is chosen there are no files to name, and not a word of them.
  const hasAny = workspace !== null || offers.collections.length + offers.resources.length > 0;

  const takeFile = (path: string): void => {
    if (!mention) return;
    const spaced = field.text.startsWith(' ', mention.to);
    field.type(mention.from, mention.to + (spaced ? 1 : 0), `${mentionOf(path)} `);
  };
  /** What becomes a chip leaves the text. */
  const leaveText = (): void => {
    if (!mention) return;
    const spaced = field.text.startsWith(' ', mention.to);
    field.type(mention.from, mention.to + (spaced ? 1 : 0), '');
  };
  const takes: Parameters<typeof withOffers>[3] = {
    collection(collection) {
      leaveText();
      void run('composer/add-collection', { collection });
    },
    resource(resource) {
      leaveText();
      void run('composer/add-resource', { resource });
    },
  };
  const takeCommand = (option: SlashOption): void => {
    if (option.why !== null) return;
    if (option.completes !== null) {
      field.type(0, field.text.length, option.completes);
      return;
    }
    setDraft(ui, field.draft, '');
    option.run(run);
  };

  const list: SuggestionList | null = !open
    ? null
    : slash.length > 0
      ? slashList(slash, takeCommand)
      : mention && hasAny
        ? withOffers(fileList(token, mention, found, takeFile), mention.path, offers, takes)
        : null;
  const of = list ? `${list.token} ${field.text}` : '';
  const active = place.of === of ? Math.min(place.at, (list?.options.length ?? 1) - 1) : 0;

  const onKey: OnKey = (key) => {
    if (!list) return false;
    if (key === 'Escape') setLeft(list.token);
    else if (list.options.length === 0) return false;
    else if (key === 'Enter' || key === 'Tab') list.take(active);
    else {
      const count = list.options.length;
      setPlace({ of, at: (active + (key === 'ArrowDown' ? 1 : count - 1)) % count });
    }
    return true;
  };

  return {
    onKey,
    /** For the field. */
    aria: {
      'aria-autocomplete': 'list',
      'aria-controls': list ? id : undefined,
      'aria-activedescendant': list && list.options.length > 0 ? optionId(id, active) : undefined,
    } as const,
    /** For who cannot see the list; empty = there is none. */
    announcement: list?.announcement ?? '',
    view: list && (
      <Suggestions
        id={id}
        label={list.label}
        options={list.options}
        active={active}
        note={list.note}
        enter={list.enter}
        field={field.element}
        from={list.from}
        onTake={list.take}
      />
    ),
  };
}

function slashList(options: SlashOption[], take: (option: SlashOption) => void): SuggestionList {
  const words = text.slash;
  return {
    token: 'slash',
    from: null,
    label: words.label,
    options: options.map((option) => ({
      id: option.id,
      disabled: option.why !== null,
      content: <CommandRow option={option} />,
    })),
    announcement: words.found(options.length),
    note: null,
    enter: words.hints.run,
    take: (index) => options[index] && take(options[index]),
  };
}

function CommandRow({ option: { label, args, help, meta, why } }: { option: SlashOption }) {
  return (
    <>
      <span className={`mono ${styles.name}`}>
        {label}
        {args !== undefined && <span className="t3"> {args}</span>}
      </span>
      <span className="meta grow cut">{why ?? help}</span>
      {meta !== undefined && <span className="meta num">{meta}</span>}
    </>
  );
}

function fileList(
  token: string,
  { from, path: query }: Mention,
  { files, complete, failure }: FoundFiles,
  take: (path: string) => void,
): SuggestionList {
  const words = text.mentions;
  const known = files ?? [];
  const nothing = files === null ? words.looking : query === '' ? words.empty : words.none(query);
  const message = failure ?? (known.length === 0 ? nothing : complete ? null : words.more);
  return {
    token,
    from,
    label: words.label,
    options: known.map((path) => ({
      id: path,
      disabled: false,
      title: path,
      content: (
        <>
          <Icon name="file" />
          <FilePath path={path} />
        </>
      ),
    })),
    announcement: known.length > 0 ? words.found(known.length) : (message ?? ''),
    note: message,
    enter: text.slash.hints.take,
    take: (index) => known[index] !== undefined && take(known[index]),
  };
}

/** A file by its name, with its folder behind it; a long folder is cut in its middle, where it says least. */
function FilePath({ path }: { path: string }) {
  const cut = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, cut));
  const last = folder.lastIndexOf('/');
  return (
    <span className={styles.filePath}>
      <span className={`${styles.name} cut`} dir="ltr">
        {path.slice(cut + 1)}
      </span>
      {folder !== '' && (
        <span className={`meta ${styles.folder}`} dir="ltr">
          {last > 0 && <span className="cut">{folder.slice(0, last)}</span>}
          <span>{folder.slice(Math.max(0, last))}</span>
        </span>
      )}
    </span>
  );
}

interface FoundFiles {
  /** null = not answered yet. */
  files: string[] | null;
  complete: boolean;
  failure: string | null;
}

/** Files of the workspace by parts of their path, asked for when the writing pauses; a null query asks nothing. */
function useFiles(workspace: string | null, query: string | null): FoundFiles {
  const settled = usePause(query);
  const asked = query === null ? null : (settled ?? query);
  const key = workspace === null || asked === null ? null : `${workspace}\n${asked}`;
  const { value, failure } = useAnswer(key, async (ask) => {
    const words = asked ?? '';
    return { words, ...(await ask.files(workspace ?? '', words.slice(0, maxQuery))) };
  });
  const late = value !== null && value.words !== query;
  return {
    files: late ? fitting(value.files, query ?? '') : (value?.files ?? null),
    complete: value?.complete ?? true,
    failure: failure?.message ?? null,
  };
}

/** Of an answer to fewer letters, what still fits: Enter never takes a file that does not match what is written. */
const fitting = (files: string[], query: string): string[] => files.filter((file) => fits(file, query));

const none: SlashOption[] = [];
const noPrompts: McpPrompt[] = [];

/** What a command that is being written can mean now. */
function useSlash(written: Written | null): SlashOption[] {
  const { registry } = useCommands();
  const target = useTarget();
  const sessionId = useUi((ui) => ui.openSessionId);
  const profiles = useHost((host) => host.profiles);
  const engine = useEngine((state) => state.engine);
  const state = useSession((session) => session.state);
  const busy = useSession(isBusy);
  const { name, words } = written ?? {};
  const changes = useHost((host) => host.mcpChanges ?? 0);
  const { value: prompts } = useAnswer(written === null ? null : `prompts ${String(changes)}`, (ask) =>
    ask.prompts(),
  );
  return useSpokenMemo(() => {
    if (name === undefined || words === undefined) return none;
    const summary = state?.items.findLast((item) => item.kind === 'summary' && !item.undone);
    return slashOptions(
      { name, words },
      {
        registry,
        sessionId,
        busy,
        summary: summary?.kind === 'summary' ? summary : null,
        profiles,
        profileId: target.profile?.id ?? null,
        models: (engine ? listedModels(engine) : []).map((model) => ({
          name: model.name,
          help: abilityWords(model, target.profile),
          meta: engine ? standingWords(engine, model, state?.warmth) : text.model.loads(model.sizeBytes),
        })),
        chosenModel: target.chosenModel,
        prompts: prompts ?? noPrompts,
      },
    );
  }, [name, words, registry, sessionId, busy, state, profiles, engine, target, prompts]);
}
