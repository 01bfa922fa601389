import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** `primary` is the one ember button of a screen; `ink` is Stop alone. */
export type ButtonKind = 'plain' | 'primary' | 'ink' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  kind?: ButtonKind;
  small?: boolean;
  icon?: IconName;
  /** Key caps after the text. */
  keys?: string[] | undefined;
  /** Name of a button that shows an icon alone; also its tooltip. */
  label?: string;
}

export function Button({
  kind = 'plain',
  small,
  icon,
  keys,
  label,
  className,
  children,
  ...rest
}: ButtonProps) {
  const alone = children === undefined;
  const classes = ['btn', kind !== 'plain' && kind, small && 'sm', alone && 'icon', className].filter(
    Boolean,
  );
  return (
    <button type="button" className={classes.join(' ')} aria-label={label} title={label} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
      {keys && <KeyCaps keys={keys} />}
    </button>
  );
}

/** A small quiet one that shows an icon alone. */
export function IconButton(props: ButtonProps & Required<Pick<ButtonProps, 'icon' | 'label'>>) {
  return <Button kind="quiet" small {...props} />;
}

/** One cap for the whole combination, as drawn: "Ctrl N". */
export function KeyCaps({ keys }: { keys: string[] }) {
  return <kbd aria-hidden="true">{keys.join(' ')}</kbd>;
}
