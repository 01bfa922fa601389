import { Popover as Base } from '@base-ui/react/popover';
import { useRef, type ReactElement, type ReactNode } from 'react';
import menuStyles from './menu.module.css';

interface PopoverProps {
  open: boolean;
  onOpen: (open: boolean) => void;
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  className: string;
  /** Where it opens when there is room. */
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A panel beside what opened it. Escape and a click beside it close it; the keyboard then is where it was. */
export function Popover({
  open,
  onOpen,
  trigger,
  label,
  className,
  side = 'top',
  align = 'end',
  children,
}: PopoverProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpen(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          className={menuStyles.layer}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {/* The panel itself has the focus first: nothing in it is pressed by a key too many. */}
          <Base.Popup ref={popup} initialFocus={popup} className={className} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
