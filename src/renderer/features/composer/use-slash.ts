import { useMemo } from 'react';
import { composer as text } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { useEngine, useHost, useSession, useUi } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { abilityWords, listedModels, standingWords } from './model-words.ts';
import { slashOptions, type SlashOption, type Written } from './slash.ts';

const none: SlashOption[] = [];

/** What a command that is being written can mean now. */
export function useSlash(written: Written | null): SlashOption[] {
  const { registry } = useCommands();
  const target = useTarget();
  const sessionId = useUi((ui) => ui.openSessionId);
  const profiles = useHost((host) => host.profiles);
  const engine = useEngine((state) => state.engine);
  const state = useSession((session) => session.state);
  const busy = useSession(isBusy);
  const { name, words } = written ?? {};
  return useMemo(() => {
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
      },
    );
  }, [name, words, registry, sessionId, busy, state, profiles, engine, target]);
}
