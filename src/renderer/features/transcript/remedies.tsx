import type { ErrorCode } from '../../../protocol/errors.ts';
import { transcript as text } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { effectiveModel } from '../../stores/derive.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';

/** Errors whose advice is to free the memory that a model holds, or to have it loaded anew. */
const unloading = new Set<string>(['load_starved', 'load_failed', 'slot_lost'] satisfies ErrorCode[]);
/** Errors that this conversation would meet again. */
const beginning = new Set<string>(['template_refused', 'context_overflow'] satisfies ErrorCode[]);
const unable: ErrorCode = 'model_without_tools';

/** Whether `Remedies` has a button to offer. */
export function useHasRemedies(code: string): boolean {
  const holds = useEngine((state) => (state.engine?.loaded.length ?? 0) > 0);
  const { profile } = useTarget();
  return (
    beginning.has(code) || (unloading.has(code) && holds) || (code === unable && mayBeSteered(profile?.calls))
  );
}

/** Where the profile has a fixed form already, that is not what is missing. */
const mayBeSteered = (calls: string | undefined): boolean => calls !== undefined && calls !== 'constrained';

/** What the advice of an error says, as buttons, where the window has a command for it. `first`: do it before all else. */
export function Remedies({ code, first = false }: { code: string; first?: boolean }) {
  const { run } = useCommands();
  const loaded = useEngine((state) => state.engine?.loaded);
  if (code === unable) return <OtherWays first={first} />;
  if (beginning.has(code)) {
    return (
      <Button kind={first ? 'primary' : 'plain'} onClick={() => void run('session/new')}>
        {text.remedies.newSession}
      </Button>
    );
  }
  if (!unloading.has(code)) return null;
  return loaded?.map(({ name, vramBytes }, place) => (
    <Button
      key={name}
      kind={first && place === 0 ? 'primary' : 'plain'}
      onClick={() => void run('model/unload', { model: name })}
    >
      {text.remedies.unload(name, vramBytes)}
    </Button>
  ));
}

/** For a model that cannot call tools as its profile asks: each is set and goes on with the task in one press. */
function OtherWays({ first }: { first: boolean }) {
  const { run } = useCommands();
  const target = useTarget();
  const model = useEngine(({ engine }) => effectiveModel(target, engine));
  const talking = useHost(({ profiles }) => profiles.find(({ tools }) => tools.length === 0));
  const { profile } = target;
  if (!profile || !mayBeSteered(profile.calls) || model === null) return null;
  const goOn = async (setting: Promise<boolean>): Promise<void> => {
    if (await setting) await run('turn/send', { text: text.continueMessage });
  };
  return (
    <>
      <Button
        kind={first ? 'primary' : 'plain'}
        aria-description={text.remedies.fixedHelp(profile.name, profile.builtIn)}
        title={text.remedies.fixedHelp(profile.name, profile.builtIn)}
        onClick={() => void goOn(run('profile/set-calls', { profileId: profile.id, calls: 'constrained' }))}
      >
        {text.remedies.fixed(model)}
      </Button>
      {talking && talking.id !== profile.id && (
        <Button
          aria-description={text.remedies.chatHelp(talking.name)}
          title={text.remedies.chatHelp(talking.name)}
          onClick={() => void goOn(run('session/set-profile', { profileId: talking.id }))}
        >
          {text.remedies.chat}
        </Button>
      )}
    </>
  );
}

/** What a remedy is worth, said before it is pressed. */
export function RemedyWorth({ code }: { code: string }) {
  const target = useTarget();
  const digest = useEngine(({ engine }) => {
    const used = effectiveModel(target, engine);
    return engine?.models.find(({ name }) => name === used)?.digest;
  });
  const score = useHost(({ exams }) => exams?.find((each) => each.digest === digest)?.constrained);
  if (code !== unable || !mayBeSteered(target.profile?.calls)) return null;
  return (
    <p className="meta num">
      {score ? text.remedies.measured(score.valid, score.asked) : text.remedies.notMeasured}
    </p>
  );
}
