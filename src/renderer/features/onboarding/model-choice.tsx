import { useId } from 'react';
import type { Pull } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Pulls } from './pulls.tsx';
import { fitOf, type CatalogueModel, type CatalogueName, type Vram } from './catalogue.ts';

interface ModelChoiceProps {
  models: CatalogueModel[];
  vram: Vram;
  chosen: CatalogueModel | undefined;
  onChoose: (name: CatalogueName) => void;
  /** What is on its way already, shown in place of the command. */
  pulls: Pull[];
}

/** A few models with their price, and the command that gets the chosen one. */
export function ModelChoice({ models, vram, chosen, onChoose, pulls }: ModelChoiceProps) {
  const group = useId();
  return (
    <>
      <div className="fr-panel" role="radiogroup" aria-label={text.steps.model}>
        <div className="fr-pick head" aria-hidden="true">
          <span />
          <span />
          <span>{text.choose.download}</span>
          <span>{text.choose.madeFor}</span>
          <span>{text.choose.here}</span>
        </div>
        {models.map((model) => (
          <label key={model.name} className={model === chosen ? 'fr-pick is-on' : 'fr-pick'}>
            <input
              type="radio"
              name={group}
              checked={model === chosen}
              onChange={() => onChoose(model.name)}
            />
            <span className="min-0">
              <span className="medium cut block">{model.name}</span>
              <span className="meta cut block">{text.models[model.name]}</span>
            </span>
            <span>{text.choose.size(model.downloadGB)}</span>
            <span>{model.madeForGB === 0 ? text.choose.anyMachine : text.choose.vram(model.madeForGB)}</span>
            <span>{text.choose.fits[fitOf(model, vram)]}</span>
          </label>
        ))}
      </div>
      {chosen && pulls.length === 0 && (
        <div className="fr-pull">
          <code className="mono grow" aria-label={text.choose.pullLabel}>
            {pullCommand(chosen.name)}
          </code>
          <CopyButton text={pullCommand(chosen.name)} />
        </div>
      )}
      <Pulls pulls={pulls} />
      <p className="meta">
        {pulls.length === 0 && text.choose.pull} {text.choose.arithmetic}
      </p>
    </>
  );
}

export function pullCommand(model: string): string {
  return `ollama pull ${model}`;
}
