import type { Pull } from '../../../protocol/model.ts';
import { PullRow } from '../../components/pull-row.tsx';
import { useCommands } from '../../commands/commands.ts';

/** Downloads where they were begun: the screen goes on by itself when one is done. */
export function Pulls({ pulls }: { pulls: Pull[] }) {
  const { run } = useCommands();
  if (pulls.length === 0) return null;
  return (
    <div className="fr-panel">
      {pulls.map((pull) => (
        <PullRow
          key={pull.model}
          pull={pull}
          onPause={() => void run('model/pull-pause', { model: pull.model })}
          onResume={() => void run('model/pull', { model: pull.model })}
          onForget={() => void run('model/pull-forget', { model: pull.model })}
        />
      ))}
    </div>
  );
}
