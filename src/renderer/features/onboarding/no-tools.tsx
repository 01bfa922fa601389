/** The second step where the model does not call tools by itself: another model, this one in a fixed form, or only talk. */
import type { EngineState, ModelInfo } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { bytes } from '../../../text/format.ts';
import { Button } from '../../components/button.tsx';
import { ExamCalls, examPrice, ExamProblem, ExamRunning } from '../../components/exam-view.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useExam } from '../../commands/use-exam.ts';
import { canCallTools } from '../../stores/derive.ts';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { ByCommand, ModelChoice } from './model-choice.tsx';
import { Get } from './model-screens.tsx';
import { Fact, Facts, Screen } from './pieces.tsx';
import { Pulls } from './pulls.tsx';
import { useBusy } from './use-busy.ts';
import type { Offer } from './use-offer.ts';

interface NoToolsProps {
  model: string;
  engine: EngineState | null;
  offer: Offer;
}

export function NoTools({ model, engine, offer }: NoToolsProps) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const { profile } = useTarget();
  const talking = useHost((host) => host.profiles.find((candidate) => candidate.tools.length === 0));
  const able = (engine?.models ?? []).filter((candidate) => canCallTools(candidate) === true);
  const [best, ...others] = able;
  const { chosen } = offer;
  const pulls = engine?.pulls ?? [];
  return (
    <Screen
      title={text.noTools.title(model)}
      lead={text.noTools.lead}
      actions={
        <>
          {best && (
            <Button kind="primary" onClick={() => void run('session/set-model', { model: best.name })}>
              {text.noTools.use(best.name)}
            </Button>
          )}
          {!best && chosen && <Get model={chosen.name} gb={chosen.downloadGB} pulls={pulls} />}
          {profile && (
            <Button
              aria-disabled={busy}
              onClick={() =>
                void during(() => run('profile/set-calls', { profileId: profile.id, calls: 'constrained' }))
              }
            >
              {text.noTools.steer(model)}
            </Button>
          )}
          {talking && (
            <Button
              kind="quiet"
              title={text.noTools.chatWith(talking.name)}
              onClick={() => void run('session/set-profile', { profileId: talking.id })}
            >
              {text.noTools.chat}
            </Button>
          )}
        </>
      }
      rest={
        <>
          {profile && (
            <p className="meta fr-changes">{text.noTools.changes(profile.name, profile.builtIn)}</p>
          )}
          {others.length > 0 && (
            <Facts>
              {others.map((other, index) => (
                <Able
                  key={other.name}
                  model={other}
                  label={index === 0 ? text.noTools.installedToo : ''}
                  onUse={() => void run('session/set-model', { model: other.name })}
                />
              ))}
            </Facts>
          )}
          {!best && pulls.length === 0 && <ModelChoice offer={offer} />}
          {!best && <ByCommand offer={offer} pulls={pulls} />}
        </>
      }
    >
      <Facts>
        <Fact label={text.noTools.fixed}>
          <FixedForm model={model} digest={engine?.models.find(({ name }) => name === model)?.digest ?? ''} />
        </Fact>
        {best && <Able model={best} label={text.noTools.installed} onUse={null} />}
        {!best && chosen && (
          <Fact label={chosen.name}>
            {text.noTools.made(chosen.downloadGB, chosen.fit?.totalBytes ?? null)}
          </Fact>
        )}
      </Facts>
      <Pulls pulls={pulls} />
    </Screen>
  );
}

/** What is known of it here: measured, being measured, or not yet. */
function FixedForm({ model, digest }: { model: string; digest: string }) {
  const { progress, result, price, mayBegin, onBegin, onCancel } = useExam(model, digest);
  if (progress && progress.phase !== 'failed') return <ExamRunning progress={progress} onCancel={onCancel} />;
  return (
    <div className="exam">
      {result ? (
        <p className="num">
          <ExamCalls result={result} />
        </p>
      ) : (
        <div className="exam-offer">
          <p>
            {text.noTools.notMeasured}
            <span className="meta num block">{examPrice(price)}</span>
          </p>
          <Button small aria-disabled={!mayBegin} onClick={mayBegin ? onBegin : undefined}>
            {text.noTools.measure}
          </Button>
        </div>
      )}
      <ExamProblem progress={progress} />
    </div>
  );
}

/** An installed model that was made for tools. */
function Able({ model, label, onUse }: { model: ModelInfo; label: string; onUse: (() => void) | null }) {
  return (
    <Fact label={label}>
      <span className="fr-command">
        <span className="cut">
          {model.name}, {bytes(model.sizeBytes)}
        </span>
        {onUse && (
          <Button small onClick={onUse}>
            {text.noTools.use(model.name)}
          </Button>
        )}
      </span>
    </Fact>
  );
}
