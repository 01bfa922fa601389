import { useState } from 'react';
import type { HostModels as Listed } from '../../../protocol/model-host-methods.ts';
import { settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { LearntAbilities } from './learnt-abilities.tsx';
import { EmptyNote, FailureLine } from './pane-parts.tsx';
import { useAsked } from './use-attempt.ts';
import libraryStyles from './library.module.css';

const text = settings.engine.modelHosts;

/** What one server has, and what was learnt of each of its models, which nobody downloads or deletes here. */
export function HostModels({ hostId }: { hostId: string }) {
  const { value, failure, again } = useAsked(`host-models:${hostId}`, (ask) => ask.hostModels());
  const told = value?.find((host) => host.hostId === hostId);
  const problem = failure ?? told?.problem;
  if (problem) return <FailureLine failure={problem} onAgain={again} />;
  if (!told) return <p className="meta">{value ? text.noModels : text.asking}</p>;
  if (told.models.length === 0) return <EmptyNote text={text.noModels} />;
  return <ModelNames {...told} />;
}

function ModelNames({ hostId, models }: Listed) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <ul className={libraryStyles.hostModels}>
      {models.map((name) => (
        <li key={name}>
          <span className="mono cut">{name.slice(hostId.length + 1)}</span>
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
