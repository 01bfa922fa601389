import { engine as text } from '../text.ts';
import { gigabytes } from '../formats.ts';
import { Bar, BarKey } from './bar.tsx';
import { vramParts, type KnownVram, type VramPart } from '../../rules/vram-split.ts';
import bars from './bar.module.css';

const looks: Record<VramPart['key'], string> = {
  weights: bars.weights,
  cache: bars.cache,
  model: bars.weights,
  other: bars.other,
  free: bars.free,
};

export function VramBar({ vram }: { vram: KnownVram }) {
  return (
    <Bar
      tall
      total={vram.total}
      label={text.vramLabel(vram.used, vram.total)}
      parts={vramParts(vram)
        .filter(({ key }) => key !== 'free')
        .map(({ key, bytes }) => ({ key, look: looks[key], value: bytes }))}
    />
  );
}

/** The figures of the bar under their names. */
export function VramKeys(props: {
  vram: KnownVram;
  names: Record<VramPart['key'], string>;
  /** Of what is estimated. */
  about: (gb: string) => string;
}) {
  const { vram, names, about } = props;
  return vramParts(vram).map(({ key, bytes, estimated }) => (
    <BarKey key={key} look={looks[key]}>
      {names[key]} {estimated ? about(gigabytes(bytes)) : gigabytes(bytes)}
    </BarKey>
  ));
}
