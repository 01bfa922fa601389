import { Menu as Base } from '@base-ui/react/menu';
import {
  cloneElement,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { shell as text } from '../text.ts';
import { KeyCaps } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import menuStyles from './menu.module.css';

interface MenuProps {
  /** The button that opens it; the menu is named after it. It has no `onClick` of its own. */
  trigger: ReactElement<ComponentProps<'button'>>;
  side?: 'top' | 'bottom' | 'right';
  children: ReactNode;
}

/** Only its button until it is opened for the first time: there is one in every row of a list. */
export function Menu({ trigger, ...menu }: MenuProps) {
  const [opened, setOpened] = useState<'by-key' | 'by-pointer' | null>(null);
  if (opened !== null) return <OpenedMenu trigger={trigger} opened={opened} {...menu} />;
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: ({ detail }: MouseEvent) => setOpened(detail === 0 ? 'by-key' : 'by-pointer'),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setOpened('by-key');
    },
  });
}

function OpenedMenu({ trigger, opened, side = 'bottom', children }: MenuProps & { opened: string }) {
  const byKey = opened === 'by-key';
  const button = useRef<HTMLButtonElement>(null);
  // It took the place of the button that had the key: what a key opens begins at its first item.
  useEffect(() => {
    if (!byKey) return;
    button.current?.focus();
    button.current?.click();
  }, [byKey]);
  return (
    <Base.Root defaultOpen={!byKey}>
      <Base.Trigger ref={button} render={trigger} />
      {/* Outside the window's columns, so it needs a landmark of its own. */}
      <Base.Portal render={<section aria-label={text.menu} />}>
        <Base.Positioner className={menuStyles.layer} side={side} align="start" sideOffset={4}>
          <Base.Popup className={menuStyles.menu}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  icon: IconName;
  keys?: string[];
  danger?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, danger, disabled = false, onClick, children }: MenuItemProps) {
  return (
    <Base.Item
      className={danger ? `${menuStyles.item} fail` : menuStyles.item}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span className="grow">{children}</span>
      {keys && <KeyCaps keys={keys} />}
    </Base.Item>
  );
}

/** Words in a menu that nothing is done with. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <p className={menuStyles.head}>{children}</p>;
}

export function MenuSeparator() {
  return <Base.Separator className={menuStyles.separator} />;
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  /** What it means, on a second line. */
  help?: string;
  /** What it costs or is, at the right. */
  meta?: ReactNode;
  disabled?: boolean;
}

interface ChoicesProps<T extends string> {
  heading: string;
  value: T | null;
  choices: Choice<T>[];
  note?: string;
  onChoose: (value: T) => void;
}

/** What it is called, means and costs. */
export function ChoiceWords({ choice: { label, help, meta } }: { choice: Omit<Choice<string>, 'value'> }) {
  return (
    <>
      <span className="grow">
        <bdi>{label}</bdi>
        {help && <span className={`meta ${menuStyles.help}`}>{help}</span>}
      </span>
      {meta && <span className="meta num">{meta}</span>}
    </>
  );
}

/** One of several, the current one ticked. */
export function MenuChoices<T extends string>({ heading, value, choices, note, onChoose }: ChoicesProps<T>) {
  const group = useRef<HTMLDivElement>(null);
  const isEmpty = choices.length === 0;
  // Opened before the host has told what there is, the menu itself has the keyboard: the first that comes takes it.
  useEffect(() => {
    const menu = group.current?.closest('[role=menu]');
    if (isEmpty || !menu || menu !== document.activeElement) return;
    menu.querySelector<HTMLElement>('[role=menuitemradio]')?.focus();
  }, [isEmpty]);
  return (
    <Base.Group ref={group}>
      <Base.GroupLabel className={menuStyles.head}>{heading}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(chosen: T) => onChoose(chosen)}>
        {choices.map((choice) => (
          <Base.RadioItem
            key={choice.value}
            value={choice.value}
            className={choice.help ? `${menuStyles.item} ${menuStyles.tall}` : menuStyles.item}
            disabled={choice.disabled ?? false}
            closeOnClick
          >
            <span className={menuStyles.tick}>
              <Base.RadioItemIndicator render={<Icon name="check" />} />
            </span>
            <ChoiceWords choice={choice} />
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
      {note && <MenuNote>{note}</MenuNote>}
    </Base.Group>
  );
}
