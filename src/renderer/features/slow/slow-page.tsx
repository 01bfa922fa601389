import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { slow as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useNow } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel, runningTurn } from '../../stores/derive.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { findings, recentOf, speedWords, type DiagnosisInput, type Finding } from './findings.ts';
import { Fixes } from './fixes.tsx';
import { useFixes, type Applied } from './use-fixes.ts';
import { useSpokenMemo } from '../../components/language.ts';
import styles from './slow.module.css';

/** How often what it says of the time is looked at again. */
const everyMs = 5000;

/** Why is it slow? What costs most first, each with its numbers and with fixes that can be taken back. */
export function SlowPage() {
  const { run } = useCommands();
  const known = useCircumstances();
  const { applied, apply, undo } = useFixes();
  const root = useRef<HTMLElement>(null);
  useEffect(() => root.current?.focus(), []);
  const close = (): void => void run('view/session');
  const found = useSpokenMemo(() => (known ? findings(known) : []), [known]);
  return (
    <main className={styles.slow} ref={root} tabIndex={-1} aria-label={text.label}>
      <div className={styles.slowColumn}>
        <Button kind="quiet" small keys={['Esc']} className={styles.slowBack} onClick={close}>
          <Icon name="previous" />
          {text.back}
        </Button>
        <h2>{text.title}</h2>
        {known ? (
          <>
            <p className={`${styles.lead} t2`}>{text.lead(recentOf(known.turns).length)}</p>
            {applied.length > 0 && <Done applied={applied} onUndo={(id) => void undo(id)} />}
            {found.length === 0 ? (
              <AllWell known={known} />
            ) : (
              <ol>
                {found.map((finding) => (
                  <FindingCard key={finding.id} finding={finding} known={known}>
                    <Fixes finding={finding} known={known} onApply={apply} />
                  </FindingCard>
                ))}
              </ol>
            )}
          </>
        ) : (
          <p className="t2">{text.unknown}</p>
        )}
      </div>
    </main>
  );
}

/** null = the engine has not answered. */
function useCircumstances(): DiagnosisInput | null {
  const engine = useEngine((state) => state.engine);
  const target = useTarget();
  const state = useSession((session) => session.state);
  const sessionId = useSession((session) => session.sessionId);
  const now = useNow(everyMs);
  return useMemo(() => {
    if (!engine) return null;
    return {
      engine,
      model: runningTurn(state)?.model ?? effectiveModel(target, engine),
      profile: target.profile,
      context: state?.context ?? null,
      turns: state?.turns ?? [],
      items: state?.items ?? [],
      sessionId,
      now,
    };
  }, [engine, target, state, sessionId, now]);
}

function FindingCard(props: { finding: Finding; known: DiagnosisInput; children: ReactNode }) {
  const { title, evidence, ongoing, costMs, help } = props.finding;
  return (
    <li className={styles.finding}>
      <div className={styles.findingHead}>
        <Mark icon="alert" tone="warn" />
        <h3>{title}</h3>
        <span className="meta num">
          {ongoing ? text.ongoing : costMs === null ? text.costUnknown : text.cost(costMs)}
        </span>
      </div>
      <ul className={`${styles.evidence} num`}>
        {evidence.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {help !== '' && <p className="t2">{help}</p>}
      {props.children}
    </li>
  );
}

/** What was changed from here, with the way back: it stays when its finding is gone. */
function Done({ applied, onUndo }: { applied: Applied[]; onUndo: (id: number) => void }) {
  return (
    <ul className={styles.doneHere}>
      {applied.map(({ id, words, undo }) => (
        <li key={id}>
          <Mark icon="done" tone="ok" />
          <span className="grow">{words}</span>
          {undo && (
            <Button small icon="undo" onClick={() => onUndo(id)}>
              {text.undo}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function AllWell({ known }: { known: DiagnosisInput }) {
  const speed = speedWords(known.turns);
  return (
    <div className={styles.finding}>
      <div className={styles.findingHead}>
        <Mark icon="done" tone="ok" />
        <h3>{text.none.title}</h3>
      </div>
      <p className="t2">{text.none.help}</p>
      {speed !== '' && (
        <p className="t2 num">
          {speed} {text.none.speedEnd}
        </p>
      )}
    </div>
  );
}
