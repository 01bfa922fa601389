import { useEffect, useRef } from 'react';

/** A field that takes the keyboard when it appears, behind what stands in it. */
export function useFocusAtEnd() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return field;
}
