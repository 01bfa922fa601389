import { useEffect, useState } from 'react';
import type { DesktopBridge, WindowFacts } from '../../protocol/desktop.ts';
import { enginePanel, onboarding, sessions, shell as text, slow } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { useKeyCaps } from '../commands/use-key-caps.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { RenameField } from '../components/rename-field.tsx';
import { useHost, useSession, useUi } from '../stores/stores.ts';
import { isArchived } from '../stores/session-groups.ts';
import { useTarget } from '../stores/use-target.ts';
import { AppMenu } from './app-menu.tsx';
import styles from './frame.module.css';

interface TitleBarProps {
  /** null in a browser. */
  desktop: DesktopBridge | null;
  /** The page of the first start has the window: there is no session to name. */
  firstRun?: boolean;
}

/** Which session, in which folder, and what the window itself can do. */
export function TitleBar({ desktop, firstRun = false }: TitleBarProps) {
  const { run } = useCommands();
  const caps = useKeyCaps();
  const view = useUi((ui) => ui.view);
  const { focused } = useWindowFacts(desktop);
  const classes = [styles.title, !focused && styles.behind, firstRun && styles.setup];
  return (
    <header className={classes.filter(Boolean).join(' ')} data-platform={desktop?.platform}>
      <div className={styles.brand}>
        <AppMenu desktop={desktop} />
        <Icon name="mark" />
        <span className="strong">{text.productName}</span>
      </div>
      {firstRun ? <FirstRunTitle /> : <Where />}
      <div className={styles.end}>
        <Button
          kind="quiet"
          small
          icon="search"
          className="wide"
          keys={caps('view/palette')}
          onClick={() => void run('view/palette')}
        >
          {text.commands}
        </Button>
        {(view === 'session' || view === 'engine') && !firstRun && <ColumnSwitches />}
      </div>
      <WindowButtons desktop={desktop} />
    </header>
  );
}

const systemDraws = new Set(['darwin', 'win32']);

/** macOS and Windows draw their own over the page, a browser around it. */
export function WindowButtons({ desktop }: { desktop: DesktopBridge | null }) {
  const { maximized, fullScreen } = useWindowFacts(desktop);
  if (!desktop || systemDraws.has(desktop.platform) || fullScreen) return null;
  return (
    <div className={styles.controls}>
      <button type="button" aria-label={text.minimize} onClick={() => desktop.window.minimize()}>
        <Icon name="minus" />
      </button>
      <button
        type="button"
        aria-label={maximized ? text.restore : text.maximize}
        onClick={() => desktop.window.toggleMaximize()}
      >
        <Icon name={maximized ? 'restore' : 'max'} />
      </button>
      <button type="button" aria-label={text.close} onClick={() => desktop.window.close()}>
        <Icon name="x" />
      </button>
    </div>
  );
}

/** Until the desktop says otherwise: an ordinary window in front. */
const unknownFacts: WindowFacts = { maximized: false, fullScreen: false, focused: true };

function useWindowFacts(desktop: DesktopBridge | null): WindowFacts {
  const [facts, setFacts] = useState(unknownFacts);
  useEffect(() => desktop?.window.onFacts(setFacts), [desktop]);
  return facts;
}

function ColumnSwitches() {
  const { run } = useCommands();
  const left = useUi((ui) => (ui.room === 'narrow' ? ui.sheet === 'left' : ui.leftOpen));
  const view = useUi((ui) => ui.view);
  const right = useUi((ui) => ui.sheet === 'right');
  const files = useSession(({ state }) => state?.files?.length ?? 0);
  return (
    <>
      <IconButton
        icon="left"
        label={left ? text.hideLeft : text.showLeft}
        aria-pressed={left}
        onClick={() => void run('view/left')}
      />
      {view === 'session' && (files > 0 || right) && (
        <Button
          kind="quiet"
          small
          icon="file"
          className="num"
          aria-pressed={right}
          onClick={() => void run('view/right')}
        >
          {text.changes(files)}
        </Button>
      )}
    </>
  );
}

/** The page has a heading of its own. */
function FirstRunTitle() {
  useEffect(() => {
    document.title = text.documentTitle(onboarding.title, false);
  }, []);
  return <div className={styles.where} />;
}

/** Which session, and in which folder it works. */
function Where() {
  const { session, workspace } = useTarget();
  const view = useUi((ui) => ui.view);
  const known = useHost((host) => host.defaults !== null);
  const named = session?.title ?? (known ? sessions.untitled : text.starting.title);
  // What slows a session stands under its name; the page has a heading of its own.
  const title = view === 'settings' ? text.settings : named;
  const page = view === 'slow' ? slow.title : view === 'engine' ? enginePanel.label : title;
  const asks = session?.status === 'asking';
  useEffect(() => {
    document.title = text.documentTitle(page, asks);
  }, [page, asks]);
  const sessionId = view === 'session' ? session?.id : undefined;
  return (
    <div className={styles.where}>
      {sessionId === undefined ? (
        <h1 className={known ? 'strong cut' : 'strong cut late'} dir="auto">
          {title}
        </h1>
      ) : (
        <SessionTitle key={sessionId} sessionId={sessionId} title={title} />
      )}
      {workspace !== null && view === 'session' && (
        <span className="meta cut mono path" title={workspace}>
          <bdi>{workspace}</bdi>
        </span>
      )}
      {sessionId !== undefined && session && isArchived(session) && <Archived sessionId={sessionId} />}
    </div>
  );
}

/** It is in no list, so the way back is here. */
function Archived({ sessionId }: { sessionId: string }) {
  const { run } = useCommands();
  return (
    <Button
      kind="quiet"
      small
      icon="archive"
      title={sessions.archive.isAway}
      onClick={() => void run('session/archive', { sessionIds: [sessionId], archived: false })}
    >
      {sessions.archive.bring}
    </Button>
  );
}

/** The title of the open session, which a click makes a field. */
function SessionTitle({ sessionId, title }: { sessionId: string; title: string }) {
  const { run } = useCommands();
  const focus = useUi((ui) => ui.focus);
  const [answered, setAnswered] = useState(focus.count);
  const [renaming, setRenaming] = useState(false);
  // A key may ask for it.
  if (focus.target === 'title' && focus.count !== answered) {
    setAnswered(focus.count);
    setRenaming(true);
  }
  if (renaming) {
    return (
      <h1 className={styles.renames}>
        <RenameField
          title={title}
          label={sessions.renameLabel}
          className={styles.rename}
          onDone={(words, byKey) => {
            setRenaming(false);
            if (words !== null) void run('session/rename', { sessionId, title: words });
            if (byKey) void run('composer/focus');
          }}
        />
      </h1>
    );
  }
  return (
    <h1 className="strong">
      <button
        type="button"
        className="cut"
        dir="auto"
        title={text.renameTitle(title)}
        onClick={() => setRenaming(true)}
      >
        {title}
      </button>
    </h1>
  );
}
