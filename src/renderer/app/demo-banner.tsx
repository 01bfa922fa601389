import { isSimulated } from '../commands/first-run-commands.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { askingCall } from '../stores/derive.ts';
import { useEngine, useSession } from '../stores/stores.ts';
import { shell } from '../text.ts';
import css from './demo-banner.module.css';

const text = shell.demo;

interface DemoBannerProps {
  /** A demo there has a window of its own, beside the one that it was opened from. */
  isDesktop: boolean;
  /** Back to what the demo was opened from; null = it was opened from nowhere. */
  leave: (() => void) | null;
}

/** Under the title bar of every page of a demo. */
export function DemoBanner({ isDesktop, leave }: DemoBannerProps) {
  const simulated = useEngine(({ engine }) => isSimulated(engine));
  // A question has the one primary button while it is open.
  const isAsked = useSession(({ state }) => askingCall(state) !== undefined);
  if (!simulated) return null;
  return (
    <aside className={css.demo} aria-label={text.label}>
      <Icon name="info" />
      <span className={`cut ${css.what}`}>{text.what}</span>
      {leave ? (
        <>
          <Button kind="quiet" small onClick={leave}>
            {text.leave}
          </Button>
          {!isDesktop && (
            <Button kind={isAsked ? 'plain' : 'primary'} small onClick={leave}>
              {text.setUp}
            </Button>
          )}
        </>
      ) : (
        <span className="meta">{text.leaveTab}</span>
      )}
    </aside>
  );
}
