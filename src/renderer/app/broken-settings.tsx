import { shell as text } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';

/** In place of settings that could not be fetched or drawn; the session behind them is a click away. */
export function BrokenSettings({ reason }: { reason: string }) {
  const { run } = useCommands();
  return (
    <main className="broken">
      <div className="banner fail" role="alert">
        <Icon name="failed" />
        <h2>{text.settingsBroken.title}</h2>
        <p className="t2 reason">{reason}</p>
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
