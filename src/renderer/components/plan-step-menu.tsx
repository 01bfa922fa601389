import type { PlanStep } from '../../protocol/model.ts';
import { plan as text } from '../text.ts';
import { IconButton } from './button.tsx';
import { Menu, MenuItem, MenuSeparator } from './menu.tsx';

const settable = [
  ['done', 'check'],
  ['pending', 'undo'],
  ['skipped', 'declined'],
] as const;

interface PlanStepMenuProps {
  step: PlanStep;
  onSet: (status: (typeof settable)[number][0]) => void;
  onRemove: () => void;
}

/** What the person knows better of a step. */
export function PlanStepMenu({ step, onSet, onRemove }: PlanStepMenuProps) {
  return (
    <Menu trigger={<IconButton icon="more" label={text.actions(step.text)} />}>
      {settable.map(
        ([status, icon]) =>
          step.status !== status && (
            <MenuItem key={status} icon={icon} onClick={() => onSet(status)}>
              {text.set[status]}
            </MenuItem>
          ),
      )}
      <MenuSeparator />
      <MenuItem icon="trash" danger onClick={onRemove}>
        {text.remove}
      </MenuItem>
    </Menu>
  );
}
