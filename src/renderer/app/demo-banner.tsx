import { isSimulated } from '../commands/first-run-commands.ts';
import { Icon } from '../components/icon.tsx';
import { useEngine } from '../stores/stores.ts';
import { shell } from '../text.ts';
import css from './demo-banner.module.css';

const text = shell.demo;

/** Under the title bar of every page of a demo. @param isDesktop a demo there has a window of its own */
export function DemoBanner({ isDesktop }: { isDesktop: boolean }) {
  const simulated = useEngine(({ engine }) => isSimulated(engine));
  if (!simulated) return null;
  return (
    <aside className={css.demo} aria-label={text.label}>
      <Icon name="info" />
      <span className="cut">{text.what}</span>
      <span className="meta">{isDesktop ? text.leaveWindow : text.leaveTab}</span>
    </aside>
  );
}
