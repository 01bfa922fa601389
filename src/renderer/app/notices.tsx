import { shell as text } from '../../text/en/shell.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/state-mark.tsx';
import { useUi } from '../stores/stores.ts';

/** What went wrong outside the transcript: it stays until it was read. */
export function Notices() {
  const { run } = useCommands();
  const notices = useUi((ui) => ui.notices);
  return (
    <div className="notices" role="alert" aria-label={text.notices}>
      {notices.map(({ id, message, advice }) => (
        <div className="toast" key={id}>
          <Mark icon="failed" tone="fail" />
          <span className="grow">
            {message}
            {advice !== '' && <span className="meta block">{advice}</span>}
          </span>
          <Button
            kind="quiet"
            small
            icon="x"
            label={text.dismiss}
            onClick={() => void run('notice/dismiss', { id })}
          />
        </div>
      ))}
    </div>
  );
}
