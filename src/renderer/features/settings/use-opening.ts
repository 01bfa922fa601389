import { useRef, useState } from 'react';

/** Something that a button opens; when it is closed, that button has the keyboard again. */
export function useOpening() {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  return { isOpen, opener, close, toggle: () => (isOpen ? close() : setOpen(true)) };
}
