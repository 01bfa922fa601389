import { useEffect } from 'react';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import { sessions, shell as text, slow } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { currentTarget } from '../stores/derive.ts';
import { useHost, useSession, useUi } from '../stores/stores.ts';

export function TitleBar({ desktop }: { desktop: DesktopBridge | null }) {
  const { run } = useCommands();
  const view = useUi((ui) => ui.view);
  const rightShown = useUi((ui) => (ui.room === 'wide' ? ui.rightOpen : ui.sheet === 'right'));
  return (
    <header className="title" data-platform={desktop?.platform}>
      <div className="brand">
        <Icon name="mark" />
        <span className="strong">{text.productName}</span>
      </div>
      <Where />
      <div className="end">
        {view === 'session' && (
          <Button
            kind="quiet"
            small
            icon="panel"
            label={rightShown ? text.hideRight : text.showRight}
            aria-pressed={rightShown}
            onClick={() => void run('view/right')}
          />
        )}
      </div>
      {/* A Mac draws its own buttons at the left. */}
      {desktop && desktop.platform !== 'darwin' && (
        <div className="wc">
          <button type="button" aria-label={text.minimize} onClick={() => desktop.window.minimize()}>
            <Icon name="minus" />
          </button>
          <button type="button" aria-label={text.maximize} onClick={() => desktop.window.toggleMaximize()}>
            <Icon name="max" />
          </button>
          <button type="button" aria-label={text.close} onClick={() => desktop.window.close()}>
            <Icon name="x" />
          </button>
        </div>
      )}
    </header>
  );
}

/** Which session, and in which folder it works. */
function Where() {
  const host = useHost((state) => state);
  const openSessionId = useUi((ui) => ui.openSessionId);
  const newSession = useUi((ui) => ui.newSession);
  const open = useSession((session) => session.state?.session);
  const view = useUi((ui) => ui.view);
  const { session, workspace } = currentTarget(host, { openSessionId, newSession }, open);
  const named = session?.title ?? sessions.untitled;
  const title = view === 'settings' ? text.settings : view === 'slow' ? slow.title : named;
  const asks = session?.status === 'asking';
  useEffect(() => {
    document.title = text.documentTitle(title, asks);
  }, [title, asks]);
  return (
    <div className="where">
      <h1 className="strong cut">{title}</h1>
      {workspace !== null && view === 'session' && (
        <span className="meta cut mono" title={workspace}>
          {workspace}
        </span>
      )}
    </div>
  );
}
