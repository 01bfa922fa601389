import type { KeyboardEvent, ReactNode } from 'react';

export interface SideTab {
  id: string;
  /** Shown when pointed at, where the words may be cut or hidden. */
  title?: string;
  content: ReactNode;
}

interface SideTabsProps<T extends SideTab> {
  label: string;
  className: string;
  tabClassName: string;
  tabs: T[];
  open: string;
  /** The id of the panel is `panelId(prefix, tab id)`. */
  prefix: string;
  onOpen: (id: T['id']) => void;
}

/** A list at the side that opens one of several panels: one tab stop; arrow keys, Home and End go through it. */
export function SideTabs<T extends SideTab>(props: SideTabsProps<T>) {
  const { label, className, tabClassName, tabs, open, prefix, onOpen } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = nextIndex(
      event.key,
      tabs.findIndex(({ id }) => id === open),
      tabs.length,
    );
    const tab = next === null ? undefined : tabs[next];
    if (!tab || next === null) return;
    event.preventDefault();
    onOpen(tab.id);
    const button = event.currentTarget.parentElement?.children[next];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div className={className} role="tablist" aria-label={label} aria-orientation="vertical">
      {tabs.map(({ id, title, content }) => (
        <button
          key={id}
          type="button"
          role="tab"
          className={tabClassName}
          title={title}
          id={`${panelId(prefix, id)}-tab`}
          aria-selected={id === open}
          aria-controls={id === open ? panelId(prefix, id) : undefined}
          tabIndex={id === open ? 0 : -1}
          onClick={() => onOpen(id)}
          onKeyDown={onKeyDown}
        >
          {content}
        </button>
      ))}
    </div>
  );
}

interface SidePanelProps {
  prefix: string;
  id: string;
  className: string;
  /** Kept as it is, out of sight. */
  hidden?: boolean;
  children: ReactNode;
}

export function SidePanel({ prefix, id, className, hidden = false, children }: SidePanelProps) {
  return (
    <div
      className={className}
      hidden={hidden}
      role="tabpanel"
      id={panelId(prefix, id)}
      aria-labelledby={`${panelId(prefix, id)}-tab`}
    >
      {children}
    </div>
  );
}

function panelId(prefix: string, id: string): string {
  return `${prefix}-${id}`;
}

function nextIndex(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
