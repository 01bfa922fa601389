import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { settings as text } from '../../text.ts';
import { FlagRow } from './flag-row.tsx';
import { withTool } from './profile-head.ts';
import { ToolChoice, toolNames } from './profile-tools.tsx';
import { Segments } from './segments.tsx';

interface SubagentToolsProps {
  profile: Profile;
  tools: ToolFacts[] | null;
  onChange: (changes: ProfileChanges) => void;
}

/** The profile's own tools, or a choice of them; a profile says the first by naming none. */
export function SubagentTools({ profile, tools, onChange }: SubagentToolsProps) {
  const { label } = text.flags.subagentTools;
  const { subagentTools: chosen } = profile;
  const names = toolNames(tools, profile.tools, chosen);
  const choose = (subagentTools: string[]): void => onChange({ subagentTools });
  return (
    <>
      <FlagRow id="subagentTools" reset={chosen.length === 0 ? null : text.reset} onReset={() => choose([])}>
        {(helpId) => (
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
        )}
      </FlagRow>
      {chosen.length > 0 && (
        <fieldset className="tool-choice" aria-label={label}>
          <ToolChoice
            facts={tools}
            names={names}
            chosen={chosen}
            // None would mean the profile's own again.
            fixed={chosen.length === 1 ? (chosen[0] ?? null) : null}
            onToggle={(name) => choose(withTool(chosen, name, names))}
          />
        </fieldset>
      )}
    </>
  );
}
