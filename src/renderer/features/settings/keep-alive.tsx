import { useId } from 'react';
import type { EngineState, KeepAlivePolicy } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { count } from '../../../text/format.ts';
import type { SettingsActions } from './actions.ts';
import { FailureLine } from './failure-line.tsx';
import { Segments } from './segments.tsx';
import { SettingGroup } from './setting-row.tsx';
import { TypedField } from './typed-field.tsx';
import { useAttempt } from './use-attempt.ts';

const text = settings.engine;
const policies: KeepAlivePolicy[] = ['while_open', 'minutes', 'always', 'never'];
const maxMinutes = 1440;

interface KeepAliveProps {
  engine: Pick<EngineState, 'keepAlive' | 'keepMinutes'>;
  actions: SettingsActions;
}

/** How long a model stays in VRAM after its last request. */
export function KeepAlive({ engine: { keepAlive, keepMinutes }, actions }: KeepAliveProps) {
  const helpId = useId();
  const { failure, attempt } = useAttempt();
  return (
    <SettingGroup label={text.keepAlive} help="">
      <div className="choice keep">
        <p id={helpId}>{text.keepAliveHelp[keepAlive]}</p>
        <Segments
          label={text.keepAlive}
          describedBy={helpId}
          value={keepAlive}
          segments={policies.map((value) => ({ value, label: text.keepAliveChoices[value] }))}
          onChoose={(next) => void attempt(() => actions.setKeepAlive(next))}
        />
        {keepAlive === 'minutes' && (
          <TypedField
            label={text.keepMinutes}
            value={count(keepMinutes)}
            describedBy={helpId}
            look="figure"
            unit={text.minutesUnit}
            check={(typed) => (minutesOf(typed) === null ? settings.invalid.whole(1, maxMinutes) : null)}
            onTake={(typed) =>
              void attempt(() => actions.setKeepAlive('minutes', minutesOf(typed) ?? keepMinutes))
            }
          />
        )}
      </div>
      {failure && <FailureLine failure={failure} />}
    </SettingGroup>
  );
}

function minutesOf(typed: string): number | null {
  const value = Number(typed.replaceAll(',', '').trim());
  return Number.isInteger(value) && value >= 1 && value <= maxMinutes ? value : null;
}
