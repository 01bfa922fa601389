import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { isComposing } from './composing.ts';
import styles from './path-field.module.css';

/** A browser has no folder picker that tells a path, so the path is typed. */
export function PathField(props: {
  /** What stands there at first. */
  path: string;
  label: string;
  take: string;
  /** It is what a page is about. */
  primary?: boolean;
  onUse: (path: string) => void;
  onCancel: () => void;
}) {
  const [path, setPath] = useState(props.path);
  const field = useRef<HTMLInputElement>(null);
  // What is typed or pasted takes the place of the old path.
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== '') props.onUse(path.trim());
      }}
    >
      <label className="input grow">
        <input
          ref={field}
          className="mono"
          aria-label={props.label}
          value={path}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
            event.preventDefault();
            event.stopPropagation();
            props.onCancel();
          }}
        />
      </label>
      <Button type="submit" kind={props.primary ? 'primary' : 'plain'}>
        {props.take}
      </Button>
    </form>
  );
}
