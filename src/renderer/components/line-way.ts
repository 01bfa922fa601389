import { useDirection } from '@base-ui/react/direction-provider';

type Way = 1 | -1;

/** 1 where lines run to the right, -1 where they run to the left: so far to the right is so far on along the line. */
export const useLineWay = (): Way => (useDirection() === 'rtl' ? -1 : 1);

/** 1 for the arrow key that goes on along the line, -1 for the one that goes back; undefined = another key. */
export function useArrowStep(): (key: string) => Way | undefined {
  const [on, back] = useLineWay() === 1 ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
  return (key) => (key === on ? 1 : key === back ? -1 : undefined);
}
