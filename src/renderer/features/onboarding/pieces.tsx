/** What the screens of the first start are made of. */
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { onboarding as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { OpenLinkContext } from '../../components/link.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useBusy } from './use-busy.ts';

interface ScreenProps {
  title: string;
  lead: string;
  /** What the buttons are about. */
  children?: ReactNode;
  actions?: ReactNode;
  /** What one need not have read to press them: in a low window it is below the fold. */
  rest?: ReactNode;
}

/** Title, one or two sentences, a panel of facts, the buttons, and other ways. */
export function Screen({ title, lead, children, actions, rest }: ScreenProps) {
  const say = useContext(SayContext);
  useEffect(() => say(`${title}. ${lead}`), [say, title, lead]);
  return (
    <section className="fr-screen">
      <h2 tabIndex={-1}>{title}</h2>
      <p className="lead">{lead}</p>
      {children}
      {actions && <div className="fr-go">{actions}</div>}
      {rest}
    </section>
  );
}

/** Says a screen that appeared by itself to those who do not see it. */
export const SayContext = createContext<(words: string) => void>(() => undefined);

/** Of something that is done, goes on now, or comes later. */
export function StepMark({ state }: { state: 'done' | 'now' | 'later' }) {
  if (state === 'later') return <Icon name="queued" />;
  return state === 'done' ? <Mark icon="done" tone="ok" /> : <Mark icon="running" tone="run" />;
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="fr-panel fr-facts">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="fr-fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A command to type elsewhere. */
export function CommandLine({ command }: { command: string }) {
  return (
    <span className="fr-command">
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

export function LookAgain({ primary = false }: { primary?: boolean }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  return (
    <Button
      kind={primary ? 'primary' : 'plain'}
      aria-disabled={busy}
      onClick={() => void during(() => run('engine/refresh'))}
    >
      {busy ? text.looking : text.lookAgain}
    </Button>
  );
}
