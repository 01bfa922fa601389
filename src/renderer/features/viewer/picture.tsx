import { composer } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import type { useZoom } from './use-zoom.ts';
import styles from './viewer.module.css';

const text = composer.viewer.zoom;

/** A region of its own to whoever hears it; it is moved by keys and by the mouse. */
const movable = { ...keyboardScrollable, role: 'group' };

export interface Size {
  width: number;
  height: number;
}

interface PictureProps {
  address: string;
  name: string;
  zoom: ReturnType<typeof useZoom>;
  /** null until it is loaded. */
  size: Size | null;
  onSize: (size: Size) => void;
  onBroken: () => void;
}

/** As large as the stage, or of its own size in a stage that scrolls. */
export function Picture({ address, name, zoom, size, onSize, onBroken }: PictureProps) {
  const { attach, image, dragged, to } = zoom;
  const fits = zoom.zoom === 'fit' || size === null;
  return (
    <div
      ref={attach}
      className={fits ? styles.stage : `${styles.stage} ${styles.zoomed}`}
      aria-label={text.stage}
      onDoubleClick={() => to(fits ? 1 : 'fit')}
      {...dragged}
      {...movable}
    >
      <img
        ref={image}
        src={address}
        alt={name}
        draggable={false}
        style={fits ? undefined : { width: size.width * Number(zoom.zoom) }}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          onSize({ width, height })
        }
        onError={onBroken}
      />
    </div>
  );
}

/** How large it is, told when it changes, and the steps up and down. */
export function ZoomControls({ zoom: { zoom, step, to } }: Pick<PictureProps, 'zoom'>) {
  const fits = zoom === 'fit';
  return (
    <span className={styles.zoom}>
      <IconButton icon="minus" label={text.out} aria-keyshortcuts="-" onClick={() => step(-1)} />
      <output className="meta num">{fits ? text.fits : text.now(zoom)}</output>
      <IconButton icon="plus" label={text.in} aria-keyshortcuts="+" onClick={() => step(1)} />
      <Button
        kind="quiet"
        small
        title={fits ? text.actualHelp : text.fitHelp}
        onClick={() => to(fits ? 1 : 'fit')}
      >
        {fits ? text.actual : text.fit}
      </Button>
    </span>
  );
}
