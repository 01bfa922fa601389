/** What the steps of the first start are made of. */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { onboarding as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { OpenLinkContext } from '../../components/link.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import css from './setup.module.css';
import { useBusy } from './use-busy.ts';

export type StepState = keyof typeof text.states;

interface StepProps {
  title: string;
  state: StepState;
  /** What is known of it, at the right. */
  fact?: string | undefined;
  /** A small button after the fact. */
  act?: ReactNode;
  /** One that goes on while later steps are done. */
  progress?: ReactNode;
  /** Only of the step that is now: what is read and pressed. */
  children?: ReactNode;
}

/** One row of the page; the one that is now is open. */
export function Step({ title, state, fact = '', act, progress, children }: StepProps) {
  const say = useContext(SayContext);
  const isNow = state === 'now';
  useEffect(() => {
    if (isNow) say(title);
  }, [say, isNow, title]);
  return (
    <li
      className={state === 'now' ? css.now : state === 'later' ? css.later : undefined}
      aria-current={isNow ? 'step' : undefined}
    >
      <div className={css.head}>
        <StepMark state={state} />
        <h2 tabIndex={isNow ? -1 : undefined}>
          {title}
          <span className="sr-only">, {text.states[state]}</span>
        </h2>
        <span className={css.known}>
          <span className="meta cut" dir="auto" title={fact}>
            {fact}
          </span>
          {act}
        </span>
      </div>
      {progress && <div className={css.progress}>{progress}</div>}
      {children && <div className={css.in}>{children}</div>}
    </li>
  );
}

/** Says a step that came by itself to those who do not see it. */
export const SayContext = createContext<(words: string) => void>(() => undefined);

function StepMark({ state }: { state: StepState }) {
  if (state === 'done') return <Mark icon="done" tone="ok" />;
  return <Icon name={({ busy: 'get', now: 'idle', later: 'queued' } as const)[state]} />;
}

interface GoProps {
  /** The button that leads on, and what it costs. */
  children: ReactNode;
  /** Quiet other ways, at the right. */
  rest?: ReactNode;
}

export function Go({ children, rest }: GoProps) {
  return (
    <div className={css.go}>
      {children}
      {rest && <span className={css.rest}>{rest}</span>}
    </div>
  );
}

/** A quiet button, and what it shows: nobody has to read it to go on. */
export function useDetails(facts: ReactNode): { button: ReactNode; panel: ReactNode } {
  const [open, setOpen] = useState(false);
  return {
    button: (
      <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {text.details}
      </Button>
    ),
    panel: open && <dl className={css.facts}>{facts}</dl>,
  };
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A command to type elsewhere. */
export function CommandLine({ command }: { command: string }) {
  return (
    <span className={css.command}>
      <code className="mono">{command}</code>
      <CopyButton text={command} />
    </span>
  );
}

/** A link that is the main thing to do, so it looks like a button. The address is ours, never a model's. */
export function LinkButton({ href, children }: { href: string; children: string }) {
  const open = useContext(OpenLinkContext);
  return (
    <a
      className="btn primary"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        if (!open) return;
        event.preventDefault();
        open(href);
      }}
    >
      {children}
      <Icon name="open" />
    </a>
  );
}

export function CheckAgain({ primary = false }: { primary?: boolean }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  return (
    <Button
      kind={primary ? 'primary' : 'quiet'}
      aria-disabled={busy}
      onClick={() => void during(() => run('engine/refresh'))}
    >
      {busy ? text.checking : text.check}
    </Button>
  );
}

/** LM Studio or another: who runs one needs no Ollama. */
export function OtherServer() {
  const { run } = useCommands();
  return (
    <Button kind="quiet" onClick={() => void run('server/add')}>
      {text.otherServer}
    </Button>
  );
}

export function OtherOllama() {
  const { run } = useCommands();
  return (
    <Button kind="quiet" onClick={() => void run('view/settings-of', { section: 'engine' })}>
      {text.otherOllama}
    </Button>
  );
}
