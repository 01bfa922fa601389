import type { Skill } from '../../../protocol/skill-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Mark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { skillsPane as text } from '../../text.ts';
import { ActionButton, Switch } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './requests.ts';
import connectionsStyles from './connections.module.css';
import settingsStyles from './settings.module.css';

interface SkillRowProps {
  skill: Skill;
  /** That was looked at too. */
  workspace: string | null;
}

export function SkillRow({ skill, workspace }: SkillRowProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { name, description, state, tokens, path, hash } = skill;
  const helpId = `skill-${path}-help`;
  const allow = (): void => void attempt(() => actions.allowSkill(path, hash, workspace));
  const turnOff = (): void => void attempt(() => actions.turnSkillOff(path, workspace));
  const problem = problemOf(skill);
  return (
    <li className={connectionsStyles.skill}>
      <span className={`medium mono ${connectionsStyles.skillName}`}>
        <VisibleText text={name} oneLine />
      </span>
      <span className="min-0">
        <span className="t2 block" id={helpId} dir="auto">
          <VisibleText text={description} oneLine />
        </span>
        {problem !== null && (
          <span className={connectionsStyles.skillState}>
            <Mark icon="alert" tone="warn" />
            <span className="warn">
              <VisibleText text={problem} oneLine />
            </span>
          </span>
        )}
      </span>
      <SkillPlace skill={skill} />
      <span className={`num ${settingsStyles.figureOf}`}>
        {tokens === 0 ? text.noPrice : text.tokens(tokens)}
      </span>
      <span className={connectionsStyles.skillAct}>
        {(state === 'on' || state === 'off') && (
          <Switch
            label={text.use(name)}
            describedBy={helpId}
            on={state === 'on'}
            onChange={(on) => (on ? allow() : turnOff())}
          />
        )}
        {(state === 'waiting' || state === 'changed') && (
          <ActionButton small busy={busy} description={text.allowLabel(name)} onClick={allow}>
            {text.allow}
          </ActionButton>
        )}
      </span>
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

function problemOf({ state, problem }: Skill): string | null {
  switch (state) {
    case 'broken':
      return text.broken(problem);
    case 'waiting':
    case 'changed':
    case 'shadowed':
      return text[state];
    case 'on':
    case 'off':
      return null;
  }
}

/** The desktop opens what lies in its own folders; elsewhere the way there is copied. */
function SkillPlace({ skill: { name, place, path } }: { skill: Skill }) {
  const { registry, run } = useCommands();
  const opens = place !== 'home' && registry['file/open'].enabled();
  const label = opens ? text.open(name) : text.copy(name);
  return (
    <button
      type="button"
      className={`${connectionsStyles.skillPlace} meta`}
      dir="auto"
      title={label}
      aria-label={`${label}: ${text.places[place]}`}
      onClick={() => void run(opens ? 'file/open' : 'file/copy-path', { path })}
    >
      {text.places[place]}
    </button>
  );
}
