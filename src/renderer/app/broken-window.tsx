import { shell as text } from '../text.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';

/** In place of a window that could not be drawn. The host works on behind it, and a reload shows what it did. */
export function BrokenWindow({ reason, onReload }: { reason: string; onReload: () => void }) {
  return (
    <main className="window">
      <div className="broken" role="alert">
        <div className="banner fail">
          <Icon name="failed" />
          <h1>{text.broken.title}</h1>
          <p className="t2 reason">{reason}</p>
          <p className="t2">{text.broken.next}</p>
          <div className="acts">
            <Button kind="primary" onClick={onReload}>
              {text.broken.reload}
            </Button>
          </div>
        </div>
      </div>
    </main>
  );
}
