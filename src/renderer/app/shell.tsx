import type { DesktopBridge } from '../../protocol/desktop.ts';
import { Composer } from '../features/composer/composer.tsx';
import { Details } from '../features/details/details.tsx';
import { Strip } from '../features/details/strip.tsx';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { Sessions } from '../features/sessions/sessions.tsx';
import { Transcript } from '../features/transcript/transcript.tsx';
import { useUi } from '../stores/stores.ts';
import { EngineNotice } from './engine-notice.tsx';
import { Notices } from './notices.tsx';
import { TitleBar } from './title-bar.tsx';

/** The window: title bar, three columns, bottom bar. */
export function Shell({ desktop }: { desktop: DesktopBridge | null }) {
  const room = useUi((ui) => ui.room);
  const rail = useUi((ui) => ui.room === 'narrow' || !ui.leftOpen);
  const right = useUi((ui) => ui.room === 'wide' && ui.rightOpen);
  const sheet = useUi((ui) => ui.sheet);
  const classes = ['cols', rail && 'rail', !right && 'no-right'].filter(Boolean).join(' ');
  return (
    <div className={desktop ? 'window desktop' : 'window'}>
      <TitleBar desktop={desktop} />
      <div className={classes}>
        <Sessions rail={rail} settings={false} />
        <main className="mid">
          {!right && <Strip />}
          <Transcript />
          <EngineNotice />
          <Composer />
          <Notices />
        </main>
        {right && <Details />}
        {sheet === 'left' && <Sessions rail={false} sheet settings={false} />}
        {sheet === 'right' && room !== 'wide' && <Details sheet />}
      </div>
      <EngineBar />
    </div>
  );
}
