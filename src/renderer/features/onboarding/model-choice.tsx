import { useId } from 'react';
import { onboarding } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { fitOf } from './catalogue.ts';
import css from './setup.module.css';
import { isRefused, type Offer, type OfferedModel } from './use-offer.ts';

const text = onboarding.model;

/** The models worth a first download here, the best one first: what each is good at, whether it fits, and its size. */
export function ModelChoice({ offer }: { offer: Offer }) {
  const { models, vram, chosen, onChoose } = offer;
  const group = useId();
  return (
    <div className={css.pick} role="radiogroup" aria-label={text.name}>
      {models.map((model, index) => (
        <label key={model.name}>
          <input type="radio" name={group} checked={model === chosen} onChange={() => onChoose(model.name)} />
          <span className="cut">
            <span className={css.name}>
              <span className="medium cut">{model.name}</span>
              {index === 0 && !isRefused(model) && <span className="tag">{text.best}</span>}
            </span>
            <span className="meta cut block">{onboarding.models[model.name]}</span>
          </span>
          <FitWords model={model} vram={vram} />
          <span className="num">{text.size(model.downloadGB)}</span>
        </label>
      ))}
    </div>
  );
}

/** By the engine's arithmetic; until it has answered, by the model's size. */
function FitWords({ model, vram }: { model: OfferedModel; vram: Offer['vram'] }) {
  const { words, good } = fitWords(model, vram);
  return (
    <span className={good === false ? 'st warn' : good ? 'st ok' : 'st'}>
      {good !== null && <Icon name={good ? 'done' : 'alert'} />}
      {words}
    </span>
  );
}

/** `good` null = it cannot be told. */
function fitWords(model: OfferedModel, vram: Offer['vram']): { words: string; good: boolean | null } {
  const { fit, onlyFree } = model;
  if (onlyFree !== null) return { words: text.noRoom(onlyFree), good: false };
  if (vram.total === 0) return { words: text.cpu, good: false };
  if (!fit || fit.verdict === 'unknown') {
    const rough = fitOf(model, vram);
    if (rough === 'unknown') return { words: text.unknown, good: null };
    const words = { fits: text.spare(null), busy: text.busy, spills: text.spills, cpu: text.cpu }[rough];
    return { words, good: rough === 'fits' };
  }
  if (fit.verdict === 'too_big') return { words: text.tooBig(fit.totalBytes), good: false };
  const { free, total } = vram;
  if (fit.verdict === 'spills') {
    const whole = total !== null && fit.totalBytes <= total;
    return { words: whole ? text.busy : text.spills, good: false };
  }
  return { words: text.spare(free === null ? null : Math.max(0, free - fit.totalBytes)), good: true };
}
