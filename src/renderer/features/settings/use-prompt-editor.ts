import { useMemo, useState } from 'react';
import type { Profile, PromptName } from '../../../protocol/model.ts';
import { useCommands } from '../../commands/commands.ts';
import { promptOf, readPromptDraft, storedDraft, type PromptDraft } from '../../stores/profile-drafts.ts';
import { useUi } from '../../stores/stores.ts';
import { useAttempt, type Failure } from './use-attempt.ts';

export interface PromptEditor {
  text: string;
  /** What the file says. */
  saved: string;
  changed: boolean;
  /** The file says something else than what was begun with. */
  conflict: boolean;
  busy: boolean;
  failure: Failure | null;
  type: (text: string) => void;
  save: () => void;
  /** What the file says, whatever was typed. */
  revert: () => void;
  /** Goes on with what was typed, over what the file says now. */
  keepMine: () => void;
}

/** A text of a profile that is saved when asked for. What is typed is kept outside the view until then. */
export function usePromptEditor(profile: Profile, prompt: PromptName): PromptEditor {
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
      if (answer.conflict === null) keep(null);
    });
  };

  return {
    text,
    saved,
    changed,
    conflict: changed && base !== saved,
    busy,
    failure,
    type: (typed) => keep(typed === saved ? null : { base, text: typed }),
    save() {
      if (changed && !busy) void save();
    },
    revert: () => keep(null),
    keepMine: () => keep({ base: saved, text }),
  };
}
