import { useId } from 'react';
import type { EngineState, KeepAlivePolicy } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { count } from '../../../text/format.ts';
import { useCommands } from '../../commands/commands.ts';
import { FailureLine } from './failure-line.tsx';
import { Segments } from './segments.tsx';
import { SettingGroup } from './setting-row.tsx';
import { TypedField } from './typed-field.tsx';
import { useAttempt } from './use-attempt.ts';

const text = settings.engine;
const policies: KeepAlivePolicy[] = ['while_open', 'minutes', 'always', 'never'];
const maxMinutes = 1440;

/** How long a model stays in VRAM after its last request. */
export function KeepAlive({ engine }: { engine: Pick<EngineState, 'keepAlive' | 'keepMinutes'> }) {
  const { keepAlive, keepMinutes } = engine;
  const { registry } = useCommands();
  const helpId = useId();
  const { failure, attempt } = useAttempt();
  const set = (policy: KeepAlivePolicy, minutes?: number): void =>
    void attempt(() =>
      registry['engine/set-keep-alive'].run({ policy, ...(minutes !== undefined && { minutes }) }),
    );
  return (
    <SettingGroup label={text.keepAlive} help="">
      <div className="choice keep">
        <p id={helpId}>{text.keepAliveHelp[keepAlive]}</p>
        <Segments
          label={text.keepAlive}
          describedBy={helpId}
          value={keepAlive}
          segments={policies.map((value) => ({ value, label: text.keepAliveChoices[value] }))}
          onChoose={set}
        />
        {keepAlive === 'minutes' && (
          <TypedField
            label={text.keepMinutes}
            value={count(keepMinutes)}
            describedBy={helpId}
            look="figure"
            unit={text.minutesUnit}
            check={(typed) => (minutesOf(typed) === null ? settings.invalid.whole(1, maxMinutes) : null)}
            onTake={(typed) => set('minutes', minutesOf(typed) ?? keepMinutes)}
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
