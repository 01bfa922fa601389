import { useEffect, useEffectEvent, useState, type RefObject } from 'react';

/** Files dropped on an element. True while some are held over it; what else is dragged is left alone. */
export function useFileDrop(
  element: RefObject<HTMLElement | null>,
  onFiles: (files: File[]) => void,
): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const enter = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Only what is taken here may be dropped here.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      const { relatedTarget } = event;
      if (!(relatedTarget instanceof Node && target.contains(relatedTarget))) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    target.addEventListener('dragenter', enter);
    target.addEventListener('dragover', enter);
    target.addEventListener('dragleave', leave);
    target.addEventListener('drop', drop);
    return () => {
      target.removeEventListener('dragenter', enter);
      target.removeEventListener('dragover', enter);
      target.removeEventListener('dragleave', leave);
      target.removeEventListener('drop', drop);
    };
  }, [element]);
  return over;
}
