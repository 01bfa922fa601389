import { useId } from 'react';
import type { Pull } from '../../../protocol/model.ts';
import { library, onboarding as text } from '../../text.ts';
import { bytes } from '../../../text/format.ts';
import { CopyButton } from '../../components/code/code-block.tsx';
import { fitOf } from './catalogue.ts';
import type { Offer, OfferedModel } from './use-offer.ts';

/** The best model and two others with their prices. */
export function ModelChoice({ offer }: { offer: Offer }) {
  const { models, vram, chosen, contextTokens, onChoose } = offer;
  const group = useId();
  return (
    <div className="fr-panel" role="radiogroup" aria-label={text.steps.model}>
      <div className="fr-pick head" aria-hidden="true">
        <span />
        <span />
        <span>{text.choose.download}</span>
        <span>{text.choose.vramAt(contextTokens)}</span>
        <span>{text.choose.writes}</span>
      </div>
      {models.map((model, index) => (
        <label key={model.name} className={model === chosen ? 'fr-pick is-on' : 'fr-pick'}>
          <input type="radio" name={group} checked={model === chosen} onChange={() => onChoose(model.name)} />
          <span className="min-0">
            <span className="fr-name">
              <span className="medium cut">{model.name}</span>
              {index === 0 && <span className="tag">{text.choose.recommended}</span>}
            </span>
            <span className="meta cut block">{text.models[model.name]}</span>
          </span>
          <span>{text.choose.size(model.downloadGB)}</span>
          <Vram model={model} vram={vram} />
          <span>{text.choose.rate(model.writesPerSecond)}</span>
        </label>
      ))}
    </div>
  );
}

/** Another way to get the chosen one, and how its figures are known. */
export function ByCommand({ offer: { chosen }, pulls }: { offer: Offer; pulls: Pull[] }) {
  const free = pulls.length === 0;
  return (
    <div className="fr-by-command">
      {chosen && free && (
        <div className="fr-pull">
          <code className="mono grow" aria-label={text.choose.pullLabel}>
            {pullCommand(chosen.name)}
          </code>
          <CopyButton text={pullCommand(chosen.name)} />
        </div>
      )}
      <p className="meta">
        {free && text.choose.pull} {text.choose.arithmetic}
      </p>
    </div>
  );
}

/** What it takes; below it, where it would not simply fit. */
function Vram({ model, vram }: { model: OfferedModel; vram: Offer['vram'] }) {
  const { fit } = model;
  const rough = fitOf(model, vram);
  const words = fit
    ? fit.verdict === 'fits' || fit.verdict === 'unknown'
      ? null
      : library.verdicts[fit.verdict]
    : rough === 'fits' || rough === 'unknown'
      ? null
      : text.choose.fits[rough];
  return (
    <span>
      <span className="block">{fit ? bytes(fit.totalBytes) : text.choose.unknown}</span>
      {words !== null && <span className="meta cut block">{words}</span>}
    </span>
  );
}

export function pullCommand(model: string): string {
  return `ollama pull ${model}`;
}
