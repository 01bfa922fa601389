import type { EngineState } from '../../../protocol/model.ts';
import { onboarding as text } from '../../text.ts';
import { Bar, type BarPart } from '../../components/bar.tsx';
import { gpuSight, splitVram, type VramSplit } from '../../../rules/vram-split.ts';
import type { OfferedModel } from './use-offer.ts';

interface GpuFactsProps {
  engine: EngineState | null;
  /** Drawn as an outline: what this model would take. */
  planned: OfferedModel | null;
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
      {/* Its place, so that nothing moves when it comes. */}
      {vram === null && <div className="bar tall" />}
    </div>
  );
}

function Words({ engine, vram, planned }: GpuFactsProps & { vram: VramSplit | null }) {
  if (!vram) return text.gpu.reading;
  const names = engine?.gpus?.map((gpu) => gpu.name) ?? [];
  if (names.length === 0) {
    const isThere = engine !== null && gpuSight(engine) === 'unreadable';
    return (
      <>
        <b>{isThere ? text.gpu.unreadable : text.gpu.none}</b>
        <span>{isThere ? text.gpu.unreadableHelp : text.gpu.noneHelp}</span>
      </>
    );
  }
  const held = planned ? plannedWords(vram, planned) : heldWords(vram, engine?.gpuPrograms ?? []);
  return (
    <>
      <b className="cut">{named(names)}</b>
      <span>{sizeWords(vram)}</span>
      <span className="grow" />
      <span className="cut" title={held}>
        {held}
      </span>
    </>
  );
}

/** "2 × NVIDIA RTX A6000" */
function named(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((other) => other === name).length;
      return count === 1 ? name : text.gpu.several(count, name);
    })
    .join(' + ');
}

function sizeWords({ total, free }: VramSplit): string {
  if (total === null) return text.gpu.unknown;
  return free === null ? text.gpu.total(total) : text.gpu.free(total, free);
}

/** Who holds what is not free: models, then the programs that the driver names, then whoever is left. */
function heldWords(
  { used, model, other }: VramSplit,
  programs: readonly { name: string; bytes: number }[],
): string {
  if (used === null) return text.gpu.heldUnknown;
  const [largest] = programs;
  const parts = [
    model > 0 && text.gpu.models(model),
    other > 0 &&
      largest !== undefined &&
      text.gpu.programs(
        other,
        programs.map(({ name }) => name),
      ),
    other > 0 && largest === undefined && (model > 0 ? text.gpu.othersToo : text.gpu.others)(other),
  ].filter((part) => part !== false);
  return parts.join(', ');
}

/** The size of the download alone where the engine has not said what it takes: never more than is known. */
function plannedWords({ free }: VramSplit, { name, downloadGB, fit }: OfferedModel): string {
  if (fit && free !== null && fit.totalBytes <= free) return text.gpu.leaves(name, free - fit.totalBytes);
  if (fit && free !== null) return text.gpu.lacks(name, fit.totalBytes - free);
  return downloadGB === null ? '' : text.gpu.planned(name, downloadGB);
}

function barParts({ model }: VramSplit, used: number, planned: OfferedModel | null): BarPart[] {
  const wanted = planned?.fit?.totalBytes ?? (planned?.downloadGB ?? 0) * 1e9;
  return [
    { key: 'planned', look: 'b-ghost', value: wanted },
    { key: 'models', look: 'b-weights', value: model },
    { key: 'other', look: 'b-other', value: used - model },
  ];
}
