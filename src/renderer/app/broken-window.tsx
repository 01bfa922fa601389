import type { DesktopBridge } from '../../protocol/desktop.ts';
import { shell as text } from '../text.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { WindowButtons } from './title-bar.tsx';
import styles from './frame.module.css';

interface BrokenWindowProps {
  reason: string;
  /** null in a browser. */
  desktop: DesktopBridge | null;
  onReload: () => void;
}

/** In place of a window that could not be drawn. The host works on behind it, and a reload shows what it did. */
export function BrokenWindow({ reason, desktop, onReload }: BrokenWindowProps) {
  return (
    <main className={desktop ? `${styles.window} ${styles.desktop}` : styles.window}>
      {/* It can still be moved and closed. */}
      {desktop && (
        <header className={styles.title} data-platform={desktop.platform}>
          <div className={styles.where} />
          <WindowButtons desktop={desktop} />
        </header>
      )}
      <div className={styles.broken} role="alert">
        <div className="banner fail">
          <Icon name="failed" />
          <h1>{text.broken.title}</h1>
          <p className={`t2 ${styles.reason}`}>{reason}</p>
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
