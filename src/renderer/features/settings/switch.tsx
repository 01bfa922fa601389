export interface SwitchProps {
  label: string;
  /** Id of the line that explains it. */
  describedBy: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, describedBy, on, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-label={label}
      aria-describedby={describedBy}
      aria-checked={on}
      onClick={() => onChange(!on)}
    />
  );
}
