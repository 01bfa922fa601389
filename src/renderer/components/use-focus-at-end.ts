import { useEffect, useRef } from 'react';

/** A field that takes the keyboard when it appears, behind what stands in it; not `wanted`, it leaves it where it is. */
export function useFocusAtEnd(wanted = true) {
  const field = useRef<HTMLTextAreaElement>(null);
  const takes = useRef(wanted);
  useEffect(() => {
    if (!takes.current) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return field;
}
