import { useId } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { settings as text } from '../../text.ts';
import { FlagRow } from './flag-row.tsx';
import { Segments } from './segments.tsx';

interface SubagentToolsProps {
  profile: Profile;
  onChange: (changes: ProfileChanges) => void;
}

/** The profile's own tools, or a choice of them; a profile says the first by naming none. */
export function SubagentTools({ profile, onChange }: SubagentToolsProps) {
  const { label, help } = text.flags.subagentTools;
  const helpId = useId();
  const { subagentTools: chosen } = profile;
  const choose = (subagentTools: string[]): void => onChange({ subagentTools });
  return (
    <>
      <FlagRow
        label={label}
        help={help}
        helpId={helpId}
        isDefault={text.isDefault}
        reset={chosen.length === 0 ? null : text.reset}
        onReset={() => choose([])}
      >
        <Segments
          label={label}
          describedBy={helpId}
          value={chosen.length === 0 ? 'same' : 'own'}
          segments={[
            { value: 'same', label: text.toolChoices.same },
            { value: 'own', label: text.toolChoices.own, disabled: profile.tools.length === 0 },
          ]}
          onChoose={(value) => choose(value === 'same' ? [] : profile.tools)}
        />
      </FlagRow>
      {chosen.length > 0 && (
        <ul className="tool-choice" aria-label={label}>
          {toolsOf(profile).map((name) => (
            <li key={name}>
              <label className={chosen.includes(name) ? 'trow' : 'trow off'}>
                <input
                  type="checkbox"
                  className="box"
                  checked={chosen.includes(name)}
                  // None would mean the profile's own again.
                  disabled={chosen.length === 1 && chosen.includes(name)}
                  onChange={() =>
                    choose(toolsOf(profile).filter((other) => chosen.includes(other) !== (other === name)))
                  }
                />
                <span className="mono cut">{name}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** In the order of the settings, so that the same choice is always the same head. */
function toolsOf({ tools, subagentTools }: Profile): string[] {
  return [...new Set([...Object.keys(text.tools), ...tools, ...subagentTools])];
}
