import { useState } from 'react';
import type { HostModels } from '../../../protocol/model-host-methods.ts';
import { settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel } from '../../stores/derive.ts';
import { useEngine } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { LearntAbilities } from './learnt-abilities.tsx';
import { EmptyNote, FailureLine } from './pane-parts.tsx';
import { useAsked } from './use-attempt.ts';
import libraryStyles from './library.module.css';

const text = settings.engine.modelHosts;

/** What one server has, and what was learnt of each of its models, which nobody downloads or deletes here. */
export function ServerModels({ hostId }: { hostId: string }) {
  const { value, failure, again } = useAsked(`host-models:${hostId}`, (ask) => ask.hostModels(hostId));
  const listed = value?.find((host) => host.hostId === hostId);
  const problem = failure ?? listed?.problem;
  if (problem) return <FailureLine failure={problem} onAgain={again} />;
  if (!listed) return <p className="meta">{value ? text.noModels : text.asking}</p>;
  if (listed.models.length === 0) return <EmptyNote text={text.noModels} />;
  return <ModelNames {...listed} />;
}

function ModelNames({ hostId, models }: HostModels) {
  const { run } = useCommands();
  const target = useTarget();
  const inUse = useEngine(({ engine }) => effectiveModel(target, engine));
  const [open, setOpen] = useState<string | null>(null);
  return (
    <ul className={libraryStyles.hostModels}>
      {models.map((name) => (
        <li key={name}>
          <span className="mono cut">{name.slice(hostId.length + 1)}</span>
          {name === inUse ? (
            <span className="meta">{text.inUse}</span>
          ) : (
            <Button
              small
              aria-description={text.takeLabel(name)}
              onClick={() => void run('session/set-model', { model: name })}
            >
              {text.take}
            </Button>
          )}
          <Button
            small
            kind="quiet"
            aria-expanded={open === name}
            aria-description={text.abilitiesLabel(name)}
            onClick={() => setOpen(open === name ? null : name)}
          >
            {text.abilities}
          </Button>
          {open === name && (
            <div>
              <LearntAbilities model={{ name, digest: name }} mayBeTested={false} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
