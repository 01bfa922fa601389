import type { Skill, SkillList } from '../../../protocol/skill-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { skillsPane as text } from '../../text.ts';
import { ActionButton, Switch } from './controls.tsx';
import { EmptyNote, FailureLine, Unanswered } from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { Mark } from '../../components/state-mark.tsx';
import settingsStyles from './settings.module.css';
import connectionsStyles from './connections.module.css';

/** Skills in every state with what each costs, and what the folder of the open session says to agents. */
export function SkillsList() {
  const changes = useHost((host) => host.skillChanges ?? 0);
  const { workspace } = useTarget();
  const asked = useAsked(`skills:${String(changes)}:${workspace ?? ''}`, (ask) => ask.skills(workspace));
  const { value } = asked;
  return (
    <>
      <Unanswered {...{ asked, text }} />
      {value?.folder && <SessionFolder folder={value.folder} />}
      {value && <SkillTable skills={value.skills} ownFolder={value.ownFolder} workspace={workspace} />}
    </>
  );
}

interface SkillTableProps {
  skills: readonly Skill[];
  ownFolder: string;
  workspace: string | null;
}

function SkillTable({ skills, ownFolder, workspace }: SkillTableProps) {
  if (skills.length === 0) return <EmptyNote text={text.none} help={text.noneHelp(ownFolder)} />;
  const { name, use, place, price } = text.columns;
  return (
    <>
      <p className={`t2 ${connectionsStyles.skillsHelp}`}>{text.help}</p>
      <div className={`${connectionsStyles.skillColumns} meta`} aria-hidden="true">
        <span>{name}</span>
        <span>{use}</span>
        <span>{place}</span>
        <span className={settingsStyles.figureOf}>{price}</span>
      </div>
      <ul className={settingsStyles.setList}>
        {skills.map((skill) => (
          <SkillRow key={skill.path} skill={skill} workspace={workspace} />
        ))}
      </ul>
    </>
  );
}

function SessionFolder({ folder }: { folder: NonNullable<SkillList['folder']> }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { isTrusted, waiting, path } = folder;
  if (!isTrusted && !waiting.agentsFile && waiting.skills === 0) return null;
  return (
    <section className={connectionsStyles.skillsFolder} aria-labelledby="skills-folder">
      <div className="grow min-0">
        <h3 className="medium" id="skills-folder">
          {isTrusted ? text.trusted : text.folderHas(waiting.agentsFile, waiting.skills)}
        </h3>
        <p className="meta mono">
          <VisibleText text={path} oneLine />
        </p>
        <p className="meta">
          <VisibleText text={isTrusted ? agentsWords(folder) : text.notTrusted} oneLine />
        </p>
      </div>
      <ActionButton
        small
        busy={busy}
        onClick={() => void attempt(() => actions.trustFolder(path, !isTrusted))}
      >
        {isTrusted ? text.distrust : text.trust}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
    </section>
  );
}

function agentsWords({ agentsFile }: NonNullable<SkillList['folder']>): string {
  if (!agentsFile) return text.noAgentsFile;
  const { shown, tokens, isCut, problem } = agentsFile;
  return problem === '' ? text.agentsFile(shown, tokens, isCut) : text.agentsBroken(shown, problem);
}

interface SkillRowProps {
  skill: Skill;
  /** That was looked at too. */
  workspace: string | null;
}

function SkillRow({ skill, workspace }: SkillRowProps) {
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
