/** The second step where the model does not call tools by itself: another model, this one constrained, or only talk. */
import type { EngineState } from '../../../protocol/model.ts';
import { onboarding } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { ExamCalls, examPrice, ExamProblem, ExamRunning } from '../../components/exam-view.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useExam } from '../../commands/use-exam.ts';
import { canCallTools } from '../../stores/derive.ts';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { Get } from './get-model.tsx';
import { ModelChoice } from './model-choice.tsx';
import { Go, Step } from './pieces.tsx';
import { useBusy } from './use-busy.ts';
import { isRefused, type Offer } from './use-offer.ts';
import styles from '../../components/exam.module.css';

const text = onboarding.noTools;

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
  return (
    <Step state="now" title={text.title(model)}>
      <p>{text.lead}</p>
      {!best && <ModelChoice offer={offer} />}
      <Go
        rest={
          talking && (
            <Button
              kind="quiet"
              title={text.chatWith(talking.name)}
              onClick={() => void run('session/set-profile', { profileId: talking.id })}
            >
              {text.chat}
            </Button>
          )
        }
      >
        {best && (
          <Button kind="primary" onClick={() => void run('session/set-model', { model: best.name })}>
            {text.use(best.name)}
          </Button>
        )}
        {!best && offer.chosen && <Get model={offer.chosen.name} primary refused={isRefused(offer.chosen)} />}
        {profile && (
          <Button
            title={text.changes(profile.name, profile.builtIn)}
            aria-disabled={busy}
            onClick={() =>
              void during(() => run('profile/set-calls', { profileId: profile.id, calls: 'constrained' }))
            }
          >
            {text.steer(model)}
          </Button>
        )}
      </Go>
      {others.length > 0 && (
        <Go>
          <span className="meta">{text.or}</span>
          {others.map(({ name }) => (
            <Button
              key={name}
              small
              aria-label={text.use(name)}
              onClick={() => void run('session/set-model', { model: name })}
            >
              {name}
            </Button>
          ))}
        </Go>
      )}
      <Constrained model={model} digest={engine?.models.find(({ name }) => name === model)?.digest ?? ''} />
    </Step>
  );
}

/** What is known here of its constrained calls: measured, being measured, or not yet. */
function Constrained({ model, digest }: { model: string; digest: string }) {
  const { progress, result, price, mayBegin, onBegin, onCancel } = useExam(model, digest);
  if (progress && progress.phase !== 'failed') return <ExamRunning progress={progress} onCancel={onCancel} />;
  return (
    <div className={styles.exam}>
      {result ? (
        <p className="num">
          <ExamCalls result={result} />
        </p>
      ) : (
        <div className={styles.offer}>
          <p className="meta num">
            {text.notMeasured}: {examPrice(price)}
          </p>
          <Button small aria-disabled={!mayBegin} onClick={mayBegin ? onBegin : undefined}>
            {text.measure}
          </Button>
        </div>
      )}
      <ExamProblem progress={progress} />
    </div>
  );
}
