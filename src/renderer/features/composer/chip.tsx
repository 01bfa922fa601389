import { Icon, type IconName } from '../../components/icon.tsx';

/** A chip opens the choice it shows. Its name says what it chooses and what is chosen. */
export function chip(icon: IconName, label: string, value: string) {
  return (
    <button type="button" className="chip" aria-label={`${label}: ${value}`} title={value}>
      <Icon name={icon} />
      <span className="cut" dir="auto">
        {value}
      </span>
      <Icon name="down" />
    </button>
  );
}
