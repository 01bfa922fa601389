import type { EngineState } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { Bar, type BarPart } from '../../components/bar.tsx';
import type { CatalogueModel } from './catalogue.ts';
import { splitVram, type VramSplit } from '../../stores/vram.ts';

interface GpuFactsProps {
  engine: EngineState | null;
  /** Drawn as an outline: what this model would take. */
  planned: CatalogueModel | null;
}

/** The GPU by name, what it has, what is free and who holds the rest. */
export function GpuFacts({ engine, planned }: GpuFactsProps) {
  const vram = engine?.gpus ? splitVram(engine.gpus, engine.loaded) : null;
  return (
    <div className="fr-gpu">
      <p className="words">
        <Words engine={engine} vram={vram} planned={planned} />
      </p>
      {vram !== null && vram.total !== null && vram.used !== null && vram.total > 0 && (
        <Bar
          tall
          total={vram.total}
          label={text.gpu.bar(vram.used, vram.total)}
          parts={barParts(vram, vram.used, planned)}
        />
      )}
    </div>
  );
}

function Words({ engine, vram, planned }: GpuFactsProps & { vram: VramSplit | null }) {
  if (!vram) return text.gpu.reading;
  const names = engine?.gpus?.map((gpu) => gpu.name) ?? [];
  if (names.length === 0) {
    return (
      <>
        <b>{text.gpu.none}</b>
        <span>{text.gpu.noneHelp}</span>
      </>
    );
  }
  return (
    <>
      <b className="cut">{names.join(' + ')}</b>
      <span>{sizeWords(vram)}</span>
      <span className="grow" />
      <span className="cut">{heldWords(vram, planned)}</span>
    </>
  );
}

function sizeWords({ total, free }: VramSplit): string {
  if (total === null) return text.gpu.unknown;
  return free === null ? text.gpu.total(total) : text.gpu.free(total, free);
}

function heldWords({ used, model }: VramSplit, planned: CatalogueModel | null): string {
  if (planned && planned.downloadGB !== null) return text.gpu.planned(planned.name, planned.downloadGB);
  if (model > 0) return text.gpu.models(model);
  return used === null ? '' : text.gpu.others(used);
}

function barParts({ model }: VramSplit, used: number, planned: CatalogueModel | null): BarPart[] {
  return [
    { key: 'planned', look: 'b-ghost', value: (planned?.downloadGB ?? 0) * 1e9 },
    { key: 'models', look: 'b-weights', value: model },
    { key: 'other', look: 'b-other', value: used - model },
  ];
}
