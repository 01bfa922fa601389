import type { Profile, ProfileChanges, PromptName } from '../../protocol/model.ts';
import {
  settleFlagsDraft,
  keepFlagsDraft,
  keepPromptDraft,
  settlePromptDraft,
  type FlagsDraft,
  type PromptDraft,
} from '../stores/profile-drafts.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';

interface Undoing {
  /** The change that it undoes made a copy of a built-in profile: that copy goes with it, where nothing else is in it. */
  takesBack?: boolean;
}

/** What is changed of a profile from outside the settings. */
export function createProfileCommands(host: HostConnection, stores: Stores) {
  const { ui } = stores;

  const change = (profileId: string, changes: ProfileChanges, takesBack = false): Promise<unknown> =>
    host.call('profile/update', { profileId, changes, ...(takesBack && { takesBack }) });
  return {
    /** Takes effect with the next message, which then loads the model with it. */
    'profile/set-window': command<{ profileId: string; contextTokens: number } & Undoing>({
      run: ({ profileId, contextTokens, takesBack }) => change(profileId, { contextTokens }, takesBack),
    }),
    'profile/set-calls': command<{ profileId: string; calls: Profile['calls'] } & Undoing>({
      run: async ({ profileId, calls, takesBack }) => {
        const before = stores.host.getState().profiles.find(({ id }) => id === profileId)?.calls;
        await change(profileId, { calls }, takesBack);
        if (!takesBack && before !== undefined && before !== calls)
          ui.setState(({ callsBefore }) => ({ callsBefore: { ...callsBefore, [profileId]: before } }));
      },
    }),
    /** To what the profile had before; `auto` where a window that was closed meanwhile knew it. */
    'profile/undo-calls': command<{ profileId: string }>({
      run: async ({ profileId }) => {
        const { [profileId]: before = 'auto', ...others } = ui.getState().callsBefore;
        await change(profileId, { calls: before }, true);
        ui.setState({ callsBefore: others });
      },
    }),
    /** What is typed into a text of a profile and not saved yet; null = forgotten. */
    'profile/keep-prompt': command<{ profileId: string; prompt: PromptName; draft: PromptDraft | null }>({
      run: ({ profileId, prompt, draft }) => keepPromptDraft(ui, profileId, prompt, draft),
    }),
    'profile/prompt-saved': command<{ profileId: string; prompt: PromptName; text: string }>({
      run: ({ profileId, prompt, text }) => settlePromptDraft(ui, profileId, prompt, text),
    }),
    /** Of its flags, what is changed and not saved yet. */
    'profile/keep-flags': command<{ profileId: string; draft: FlagsDraft | null }>({
      run: ({ profileId, draft }) => keepFlagsDraft(ui, profileId, draft),
    }),
    'profile/flags-saved': command<{ profileId: string; changes: ProfileChanges }>({
      run: ({ profileId, changes }) => settleFlagsDraft(ui, profileId, changes),
    }),
  };
}
