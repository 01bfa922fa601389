import { useId, useState, type RefObject } from 'react';
import { composer as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { mentionAt, mentionOf } from '../../components/mentions.ts';
import { useCommands } from '../../commands/commands.ts';
import { useStores } from '../../stores/stores.ts';
import { setDraft } from '../../stores/ui-store.ts';
import { useTarget } from '../../stores/use-target.ts';
import { FilePath } from './file-path.tsx';
import { readSlash, type SlashOption } from './slash.ts';
import { optionId, Suggestions, type Suggestion } from './suggestions.tsx';
import { useFiles, type FoundFiles } from './use-files.ts';
import { useSlash } from './use-slash.ts';

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

interface List {
  /** Tells one list from the next: what was left with Escape stays closed until something else is written. */
  token: string;
  from: number | null;
  label: string;
  options: Suggestion[];
  announcement: string;
  note: string | null;
  enter: string;
  take: (index: number) => void;
}

/** The list that belongs to what is being written: commands, or files to name. */
export function useSuggestions(field: Field) {
  const { run } = useCommands();
  const { ui } = useStores();
  const { workspace } = useTarget();
  const id = useId();
  const [left, setLeft] = useState<string | null>(null);
  const [place, setPlace] = useState({ of: '', at: 0 });

  const slash = useSlash(field.caret === null ? null : readSlash(field.text));
  const mention =
    field.caret === null || slash.length > 0 || workspace === null
      ? null
      : mentionAt(field.text, field.caret);
  const token = slash.length > 0 ? 'slash' : mention ? `mention ${mention.from}` : null;
  if (left !== null && left !== token) setLeft(null);
  const open = token !== null && token !== left;
  const found = useFiles(workspace, open && mention ? mention.path : null);

  const takeFile = (path: string): void => {
    if (!mention) return;
    const spaced = field.text.startsWith(' ', mention.to);
    field.type(mention.from, mention.to + (spaced ? 1 : 0), `${mentionOf(path)} `);
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

  const list: List | null = !open
    ? null
    : slash.length > 0
      ? slashList(slash, takeCommand)
      : fileList(token, mention?.from ?? 0, mention?.path ?? '', found, takeFile);
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

function slashList(options: SlashOption[], take: (option: SlashOption) => void): List {
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
      <span className="mono name">
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
  from: number,
  query: string,
  { files, complete, failure }: FoundFiles,
  take: (path: string) => void,
): List {
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
