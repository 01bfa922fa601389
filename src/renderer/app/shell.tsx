import { lazy, Suspense, useEffect } from 'react';
import type { Services } from '../commands/command.ts';
import { useCommands } from '../commands/commands.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Composer } from '../features/composer/composer.tsx';
import { ChangesSheet } from '../features/changes/changes-sheet.tsx';
import { ReviewDialog } from '../features/changes/review-dialog.tsx';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { guidePlatform } from '../features/onboarding/install-guide.ts';
import { SetupPage } from '../features/onboarding/setup-page.tsx';
import { useFirstRunOpen } from '../features/onboarding/use-first-run.ts';
import { Palette } from '../features/palette/palette.tsx';
import { ShortcutsSheet } from '../features/palette/shortcuts-sheet.tsx';
import { Sessions } from '../features/sessions/sessions.tsx';
import { EngineRoom } from '../features/engine-room/engine-room.tsx';
import { SlowPage } from '../features/slow/slow-page.tsx';
import { Transcript } from '../features/transcript/transcript.tsx';
import { FileViewer } from '../features/viewer/file-viewer.tsx';
import { useHost, useSession, useUi } from '../stores/stores.ts';
import { ColumnEdge, ColumnWidth } from './column-edge.tsx';
import { DemoBanner } from './demo-banner.tsx';
import { EngineNotice } from './engine-notice.tsx';
import { Notices } from './notices.tsx';
import { Starting } from './starting.tsx';
import { TitleBar } from './title-bar.tsx';
import { TourStage } from './tour-stage.tsx';
import { shell as text } from '../text.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import styles from './frame.module.css';

const fetchSettings = () => import('../features/settings/settings.tsx');

/** A start does not wait for them. */
const Settings = lazy(async () => {
  const { Settings: pane } = await fetchSettings();
  return { default: pane };
});

/** Out of a demo: its window closes, its tab goes back to the page that opened it; null = nothing did. */
function wayOut(desktop: Services['desktop']): (() => void) | null {
  if (desktop) return () => desktop.window.close();
  return history.length > 1 ? () => history.back() : null;
}

/** The window: title bar, the sessions beside one of them or a page in their place, bottom bar. */
export function Shell({ services: { desktop } }: { services: Pick<Services, 'desktop'> }) {
  const view = useUi((ui) => ui.view);
  const firstRun = useFirstRunOpen() && view === 'session';
  useSettingsAtHand();
  return (
    <div className={desktop ? `${styles.window} ${styles.desktop}` : styles.window}>
      <ColumnWidth />
      <TitleBar desktop={desktop} firstRun={firstRun} />
      <DemoBanner isDesktop={desktop !== null} leave={wayOut(desktop)} />
      {view === 'settings' && <SettingsView />}
      {view === 'slow' && <SlowView />}
      {firstRun && <FirstRunView platform={desktop?.platform} />}
      {(view === 'session' || view === 'engine') && !firstRun && <Columns />}
      <EngineBar />
      <Palette />
      <ShortcutsSheet />
      <FileViewer />
      <ReviewDialog />
    </div>
  );
}

/** Once connected they are fetched in a quiet moment: where the connection is lost later they still open. */
function useSettingsAtHand(): void {
  const live = useHost((host) => host.connection === 'live');
  useEffect(() => {
    if (!live) return;
    // A failure shows, with its reason, when they are opened.
    const idle = requestIdleCallback(() => void fetchSettings().catch(() => null));
    return () => cancelIdleCallback(idle);
  }, [live]);
}

function SettingsView() {
  const section = useUi((ui) => ui.settingsSection);
  return (
    <div className={styles.over}>
      <ErrorBoundary renderFailure={(reason) => <BrokenSettings reason={reason} />}>
        <Suspense>
          <Settings section={section} />
        </Suspense>
      </ErrorBoundary>
      <Notices />
    </div>
  );
}

function SlowView() {
  return (
    <div className={styles.over}>
      <SlowPage />
      <Notices />
    </div>
  );
}

function FirstRunView({ platform }: { platform: string | undefined }) {
  return (
    <div className={styles.over}>
      <SetupPage platform={guidePlatform(platform ?? navigator.platform)} stage={TourStage} />
      <Notices />
    </div>
  );
}

function Columns() {
  const rail = useUi((ui) => ui.room === 'narrow' || !ui.leftOpen);
  const sheet = useUi((ui) => ui.sheet);
  const isEngineRoom = useUi((ui) => ui.view === 'engine');
  return (
    <div className={rail ? `${styles.cols} ${styles.rail}` : styles.cols}>
      <Sessions rail={rail} covered={sheet === 'left'} />
      <main className={styles.mid}>
        {!rail && <ColumnEdge />}
        {isEngineRoom ? <EngineRoom /> : <Conversation />}
        <Notices />
        {!isEngineRoom && <Composer />}
      </main>
      {sheet !== null && <Scrim />}
      {sheet === 'left' && <Sessions rail={false} sheet />}
      {sheet === 'right' && <ChangesSheet />}
    </div>
  );
}

function Conversation() {
  const known = useHost((host) => host.defaults !== null);
  const nothingYet = useSession((session) => session.state === null && session.sending === null);
  // Nothing is called ready, or new, before the host has said what there is.
  if (!known && nothingYet) return <Starting />;
  return (
    <>
      <Transcript />
      <EngineNotice />
    </>
  );
}

/** A click beside an open column closes it; the keyboard has Escape. */
function Scrim() {
  const { run } = useCommands();
  return (
    <div className={styles.beside} aria-hidden="true" onPointerDown={() => void run('view/close-sheet')} />
  );
}

/** In place of settings that could not be fetched or drawn; the session behind them is a click away. */
function BrokenSettings({ reason }: { reason: string }) {
  const { run } = useCommands();
  return (
    <main className={styles.broken}>
      <div className="banner fail" role="alert">
        <Icon name="failed" />
        <h2>{text.settingsBroken.title}</h2>
        <p className={`t2 ${styles.reason}`}>{reason}</p>
        <p className="t2">{text.settingsBroken.next}</p>
        <div className="acts">
          <Button kind="primary" onClick={() => void run('view/session')}>
            {text.settingsBroken.back}
          </Button>
        </div>
      </div>
    </main>
  );
}
