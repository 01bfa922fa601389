/** The texts of a profile: its prompt, that of its subagents, and who the model is. Saved when asked for. */
import { useId, useRef, useState, useMemo } from 'react';
import type { Profile, PromptName } from '../../../protocol/model.ts';
import { profiles } from '../../text.ts';
import { Button, KeyCaps } from '../../components/button.tsx';
import { priceWords } from '../../components/price-words.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { keyCaps, matches } from '../../commands/keyboard.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { changePrice } from '../../../rules/price.ts';
import type { SessionPricing } from '../../stores/use-pricing.ts';
import {
  promptNames,
  unsavedPrompts,
  withPrompt,
  promptOf,
  readPromptDraft,
  storedDraft,
  type PromptDraft,
} from '../../stores/profile-drafts.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { ActionButton, Segments } from './controls.tsx';
import { ChangedNote } from './changed-note.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

const text = profiles.prompts;
const saveKeys = 'Mod+S';

interface ProfilePromptsProps {
  profile: Profile;
  /** The session that would pay; null when none in sight uses this profile. */
  pricing: SessionPricing | null;
  /** null = not answered yet. */
  commonPersona: string | null;
  /** Something else on the screen is the first thing to do. */
  quiet: boolean;
}

export function ProfilePrompts(props: ProfilePromptsProps) {
  const [open, setOpen] = useState<PromptName>('system');
  const unsaved = useUi(({ drafts }) => unsavedPrompts(drafts, props.profile).join());
  const help = useId();
  return (
    <div className={profilesStyles.prompts}>
      <div className={profilesStyles.promptsHead}>
        <Segments
          label={text.label}
          describedBy={help}
          value={open}
          segments={promptNames.map((value) => ({
            value,
            label: unsaved.split(',').includes(value) ? `${text.names[value]} •` : text.names[value],
          }))}
          onChoose={setOpen}
        />
        <p className="meta grow" id={help}>
          {text.help[open]}
        </p>
      </div>
      {/* A key of its own: what was answered of one text says nothing of the next. */}
      <PromptEditorView key={open} prompt={open} helpId={help} {...props} />
    </div>
  );
}

interface PromptEditorViewProps extends ProfilePromptsProps {
  prompt: PromptName;
  helpId: string;
}

function PromptEditorView(props: PromptEditorViewProps) {
  const { profile, prompt, pricing, commonPersona, quiet, helpId } = props;
  const editor = usePromptEditor(profile, prompt);
  const { mac } = useCommands();
  const refusal = refusalOf(prompt, editor.text);
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const refusalId = useId();
  const ready = editor.changed && !editor.conflict && refusal === null;
  const save = (): void => {
    if (ready) editor.save();
  };
  useKeyDown(area, (event) => {
    if (!matches(saveKeys, event, mac)) return;
    // The page itself would be saved by the browser.
    event.preventDefault();
    event.stopPropagation();
    save();
  });
  const withField = (act: () => void) => (): void => {
    act();
    field.current?.focus();
  };
  return (
    <div className={profilesStyles.promptEditor} ref={area}>
      {editor.conflict && (
        <ChangedNote
          title={text.changed(text.files[prompt])}
          help={text.changedHelp}
          now={text.fileNow}
          saved={editor.saved}
        >
          <Button onClick={withField(editor.revert)}>{profiles.takeFile}</Button>
          <Button onClick={withField(editor.keepMine)}>{profiles.keepMine}</Button>
        </ChangedNote>
      )}
      <textarea
        ref={field}
        className={refusal === null ? profilesStyles.promptText : `${profilesStyles.promptText} is-bad`}
        aria-label={text.names[prompt]}
        aria-describedby={refusal === null ? helpId : refusalId}
        aria-invalid={refusal !== null}
        placeholder={text.placeholder[prompt]}
        dir="auto"
        spellCheck={false}
        value={editor.text}
        onChange={(event) => editor.type(event.target.value)}
      />
      {prompt === 'persona' && editor.text.trim() === '' && commonPersona !== null && (
        <section className={profilesStyles.common} aria-label={text.common}>
          <h3 className="meta">{text.common}</h3>
          <p className="out">{commonPersona === '' ? text.commonNone : commonPersona}</p>
        </section>
      )}
      {editor.changed && !editor.conflict && <Cost {...{ profile, prompt, pricing, editor }} />}
      {editor.failure && <FailureLine failure={editor.failure} />}
      <footer className={profilesStyles.promptFoot}>
        <p className="meta num grow">
          {refusal === null ? (
            text.size(editor.text.trim().length)
          ) : (
            <span className="fail" id={refusalId}>
              {refusal}
            </span>
          )}
          <span className={settingsStyles.wide}>
            {' · '}
            <span className="mono">{text.files[prompt]}</span>
          </span>
        </p>
        <output className={editor.changed ? 'st warn' : 'st'}>
          {editor.changed ? text.unsaved : editor.saved === '' ? '' : text.saved}
        </output>
        <Button disabled={!editor.changed} onClick={withField(editor.revert)}>
          {text.revert}
        </Button>
        <ActionButton
          kind={ready && !quiet ? 'primary' : 'plain'}
          busy={editor.busy || !ready}
          onClick={withField(save)}
        >
          {text.save} <KeyCaps keys={keyCaps(saveKeys, mac)} />
        </ActionButton>
      </footer>
    </div>
  );
}

/** The limit of the host, in bytes. */
const largest = 256 * 1024;

function refusalOf(prompt: PromptName, typed: string): string | null {
  if (prompt === 'system' && typed.trim() === '') return text.empty;
  return new Blob([typed]).size >= largest ? text.tooLong : null;
}

interface CostProps {
  profile: Profile;
  prompt: PromptName;
  pricing: SessionPricing | null;
  editor: PromptEditor;
}

/** What saving costs the sessions of this profile: its texts stand at the very beginning of every prompt. */
function Cost({ profile, prompt, pricing, editor }: CostProps) {
  const after = withPrompt(profile, prompt, editor.text.trim());
  const price = usePrice(
    changePrice(pricing ?? nobody, withPrompt(profile, prompt, editor.saved), after),
    profile.contextTokens,
  );
  const open = pricing?.target.session ?? null;
  const others = useHost(
    ({ sessions }) =>
      sessions.filter(({ id, profileId }) => profileId === profile.id && id !== open?.id).length,
  );
  const parts: string[] = [];
  if (prompt === 'subagent') parts.push(text.subagents);
  else {
    if (open) parts.push(`${text.cost(open.title)} ${priceWords(price)}, ${text.costWhen}`);
    if (others > 0) parts.push(open ? text.others(others) : text.onlyOthers(others));
  }
  if (profile.builtIn) parts.push(text.builtIn);
  return parts.length === 0 ? null : <p className={`${profilesStyles.promptCost} t2`}>{parts.join(' ')}</p>;
}

const nobody: SessionPricing = {
  target: {
    session: null,
    profile: undefined,
    chosenModel: null,
    chosenApprovals: null,
    workspace: null,
    hosts: new Set(),
  },
  engine: null,
  asked: false,
  last: null,
};

type PromptEditor = ReturnType<typeof usePromptEditor>;

/** A text of a profile that is saved when asked for. What is typed is kept outside the view until then. */
function usePromptEditor(profile: Profile, prompt: PromptName) {
  const { run, actions } = useCommands();
  const stored = useUi(({ drafts }) => storedDraft(drafts, profile.id, prompt));
  const draft = useMemo(() => readPromptDraft(stored), [stored]);
  /** What an answer answered of the file, until the news of it comes. */
  const [answered, setAnswered] = useState<{ before: Profile; text: string } | null>(null);
  const { busy, failure, attempt } = useAttempt();

  const saved = answered?.before === profile ? answered.text : promptOf(profile, prompt);
  const text = draft?.text ?? saved;
  const changed = draft !== null && text.trim() !== saved;
  const base = draft?.base ?? saved;
  const keep = (next: PromptDraft | null): void =>
    void run('profile/keep-prompt', { profileId: profile.id, prompt, draft: next });

  const save = async (): Promise<void> => {
    await attempt(async () => {
      const answer = await actions.writePrompt(profile.id, { prompt, text, expected: base });
      setAnswered({ before: profile, text: answer.conflict ?? text.trim() });
      if (answer.conflict === null)
        await run('profile/prompt-saved', { profileId: profile.id, prompt, text });
    });
  };

  return {
    text,
    /** What the file says. */
    saved,
    changed,
    /** The file says something else than what was begun with, and nothing of that is being saved. */
    conflict: changed && base !== saved && !busy,
    busy,
    failure,
    // While something is saved, what the file said is a change of it.
    type: (typed: string) => keep(typed === saved && !busy ? null : { base, text: typed }),
    save(): void {
      if (changed && !busy) void save();
    },
    /** What the file says, whatever was typed. */
    revert: () => keep(null),
    /** Goes on with what was typed, over what the file says now. */
    keepMine: () => keep({ base: saved, text }),
  };
}
