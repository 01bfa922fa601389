import type { ReactNode } from 'react';
import type { ItemOf, Turn } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { wordsByCode } from '../../commands/error-words.ts';
import { useSession } from '../../stores/stores.ts';
import { useLead } from '../../stores/use-lead.ts';
import { Remedies, RemedyWorth, useHasRemedies } from './remedies.tsx';
import styles from './card.module.css';
import transcriptStyles from './transcript.module.css';

interface NextStepsProps {
  code?: string;
  /** Beside going on: a way back. */
  more?: ReactNode;
  aside?: ReactNode;
}

/** What a person can do after a turn that did not finish. Only the newest turn offers it. */
export function NextSteps({ code = '', more, aside }: NextStepsProps) {
  const { run } = useCommands();
  // Going on without the remedy would meet the same error.
  const remedied = useHasRemedies(code);
  const leads = useLead() === 'conversation';
  return (
    <div className="acts">
      <Remedies code={code} first={leads} />
      <Button
        kind={leads && !remedied ? 'primary' : 'plain'}
        onClick={() => void run('turn/send', { text: text.continueMessage })}
      >
        {text.continue}
      </Button>
      {more}
      <Button kind="quiet" onClick={() => void run('turn/restore-message')}>
        {text.putBack}
      </Button>
      {aside}
    </div>
  );
}

export function ErrorCard({ item, last }: { item: ItemOf<'error'>; last: boolean }) {
  const { message, advice } = wordsByCode(item.code, item);
  return (
    <div className="banner fail">
      <Icon name="failed" />
      <h2>{message}</h2>
      {advice !== '' && <p className="t2">{advice}</p>}
      {last && <RemedyWorth code={item.code} />}
      {last && <NextSteps code={item.code} />}
    </div>
  );
}

/** A turn that ended at a limit, or with the process under it. */
export function OutcomeCard({ turn, last }: { turn: Turn; last: boolean }) {
  const { run } = useCommands();
  if (turn.status === 'failed') {
    return (
      <div className="banner fail">
        <Icon name="failed" />
        <h2>{text.failedTitle}</h2>
        <p className="t2">{text.failedAdvice}</p>
        {last && <NextSteps />}
      </div>
    );
  }
  const capped = turn.status === 'max_iterations';
  return (
    <section className={styles.card}>
      <div className={`${styles.row} ${styles.plain}`}>
        <Mark icon={capped || turn.cut ? 'cap' : 'cut'} tone="warn" />
        <span>
          <span className="medium">{outcomeTitle(turn)}</span>{' '}
          <span className="t2">{capped ? <CappedWords turn={turn} last={last} /> : outcomeText(turn)}</span>
        </span>
        {last && (
          <Button small onClick={() => void run('turn/send', { text: text.continueMessage })}>
            {text.continue}
          </Button>
        )}
      </div>
    </section>
  );
}

function outcomeTitle(turn: Turn): string {
  if (turn.cut) return text.cutTitle;
  return turn.status === 'max_iterations' ? text.capped(turn.iterations) : text.interrupted;
}

const outcomeText = ({ cut }: Turn): string => (cut ? text.cutText : text.interruptedText);

/** Profile A to B, and what the switch cost: the counters of the first reply with the new head. */
export function SwitchCard({ item }: { item: ItemOf<'switch'> }) {
  return (
    <section className={styles.card} aria-label={text.switched.head}>
      <div className={`${styles.row} ${styles.plain}`}>
        <Icon name="user" />
        <span className="cut">
          <span className="medium">{text.switched.title(item.from.name, item.to.name)}</span>{' '}
          <span className="t2">{text.switched.model(item.from.model, item.to.model)}</span>
        </span>
        <span className={`${styles.figure} num`}>{costOfSwitch(item.usage)}</span>
      </div>
    </section>
  );
}

function costOfSwitch(usage: ItemOf<'switch'>['usage']): string {
  if (usage === null) return text.switched.waiting;
  if (usage.evaluatedTokens === null) return text.switched.unknown;
  return text.switched.read(usage.evaluatedTokens, usage.promptTokens);
}

/** How far the plan is, while it is this turn's. */
function CappedWords({ turn, last }: { turn: Turn; last: boolean }) {
  const steps = useSession((session) => session.state?.todo?.steps);
  const own = steps?.filter((step) => step.parentId === null) ?? [];
  if (!last || turn.status !== 'max_iterations' || own.length === 0) return text.cappedText;
  return text.cappedSteps(own.filter((step) => step.status === 'done').length, own.length);
}

/** A quiet line between messages. */
export function QuietLine({ icon, children }: { icon: IconName; children: string }) {
  return (
    <div className={transcriptStyles.line}>
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  );
}
