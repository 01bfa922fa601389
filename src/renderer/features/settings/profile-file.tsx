/** A profile as it stands on the disk: where, which files, what differs from the defaults, and the file itself. */
import type { Profile, ProfileFiles, ProfileProblem } from '../../../protocol/model.ts';
import { profiles, settings } from '../../text.ts';
import { CodeBlock, CopyButton } from '../../components/code/code-block.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import { promptNames, promptOf } from '../../stores/profile-drafts.ts';
import { ProblemNote } from './profile-problem.tsx';
import {
  defaultApprovals,
  defaultCalls,
  figures,
  groups,
  isChanged,
  switches,
  type Figure,
  type FigureId,
} from './profile-flags.ts';
import { plainWords, thinkWords } from './profile-words.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

const text = profiles.file;

export function ProfileFile({ profile, problem }: { profile: Profile; problem: ProfileProblem | undefined }) {
  // Asked for anew whenever the profile says something else, and whenever this page is opened.
  const { value: files, failure } = useAnswer(filesKey(profile.id, profile), (ask) =>
    ask.profileFiles(profile.id),
  );
  return (
    <div className={profilesStyles.filePage}>
      {problem && <ProblemNote problem={problem} inUse />}
      {failure && (
        <p className="t2">
          {text.failed} {failure.message}
        </p>
      )}
      {files ? <Files profile={profile} files={files} /> : !failure && <p className="t2">{text.reading}</p>}
    </div>
  );
}

/** Another one whenever the profile says something else. */
export function filesKey(profileId: string, profile: Profile | undefined): string {
  return `profile:${profileId}:${JSON.stringify(profile)}`;
}

function Files({ profile, files }: { profile: Profile; files: ProfileFiles }) {
  const texts = promptNames.map((prompt) => ({ prompt, length: promptOf(profile, prompt).length }));
  return (
    <>
      <section aria-label={text.folder}>
        <h3>{text.folder}</h3>
        <p className={profilesStyles.profileFolder}>
          <span className="mono cut grow" title={files.folder}>
            {files.folder}
          </span>
          <CopyButton text={files.folder} />
        </p>
        <dl className={settingsStyles.rows}>
          <div>
            <dt className="mono">profile.json</dt>
            <dd className="t2">{text.flags}</dd>
          </div>
          {texts.map(({ prompt, length }) => (
            <div key={prompt}>
              <dt className="mono">{profiles.prompts.files[prompt]}</dt>
              <dd className={length === 0 ? 't3' : 't2 num'}>
                {length === 0 ? text.none : text.characters(length)}
              </dd>
            </div>
          ))}
        </dl>
        <p className={`meta ${profilesStyles.lineOf}`}>
          {profile.builtIn ? settings.profiles.builtInNote : text.editNote}
        </p>
      </section>
      <Differences profile={profile} />
      <section aria-label={text.json}>
        {files.json === null ? (
          <p className="t2">{text.unreadable}</p>
        ) : (
          <CodeBlock code={files.json.trimEnd()} language="profile.json" growing={false} />
        )}
      </section>
    </>
  );
}

function Differences({ profile }: { profile: Profile }) {
  const rows = differences(profile);
  return (
    <section aria-label={text.differs}>
      <h3>{text.differs}</h3>
      {rows.length === 0 ? (
        <p className="t2">{text.nothingDiffers}</p>
      ) : (
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{text.columns.flag}</th>
              <th scope="col">{text.columns.value}</th>
              <th scope="col">{text.columns.default}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, label, value, usual }) => (
              <tr key={id}>
                <td>{label}</td>
                <td className="num">{value}</td>
                <td className="num t3">{usual}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What of a profile is not at its default, in words. Pure. */
interface Difference {
  id: string;
  label: string;
  value: string;
  usual: string;
}

function differences(profile: Profile): Difference[] {
  const rows = groups.flatMap((group) => group.rows).filter((row) => isChanged(row, profile));
  return rows.flatMap((row): Difference[] => {
    switch (row.kind) {
      case 'switch': {
        const own = {
          id: row.id,
          ...words(row.id, plainWords(profile[row.id]), plainWords(switches[row.id])),
        };
        const changed = profile[row.id] !== switches[row.id];
        return [...(changed ? [own] : []), ...(row.figure ? figureRow(row.figure, profile) : [])];
      }
      case 'figure':
        return figureRow(row.id, profile);
      case 'words':
        return [];
      case 'approvals': {
        const choices = settings.approvalChoices;
        return [{ id: row.kind, ...words(row.kind, choices[profile.approvals], choices[defaultApprovals]) }];
      }
      case 'think':
        return [{ id: row.kind, ...words(row.kind, thinkWords(profile.think), thinkWords(undefined)) }];
      case 'calls': {
        const choices = settings.callChoices;
        return [{ id: row.kind, ...words(row.kind, choices[profile.calls], choices[defaultCalls]) }];
      }
      case 'subagentTools':
        return [
          { id: row.kind, ...words(row.kind, profile.subagentTools.join(', '), settings.toolChoices.same) },
        ];
    }
  });
}

function words(id: keyof typeof settings.flags, value: string, usual: string): Omit<Difference, 'id'> {
  return { label: settings.flags[id].label, value, usual };
}

function figureRow(id: FigureId, profile: Profile): Difference[] {
  const figure: Figure = figures[id];
  const value = figure.read(profile);
  if (value === figure.defaultValue) return [];
  return [{ id, ...words(id, figureWords(figure, value), figureWords(figure, figure.defaultValue)) }];
}

function figureWords({ unit }: Figure, value: number | null): string {
  if (value === null) return settings.fromModel;
  const number = Number.isInteger(value) ? plainWords(value) : String(value);
  return unit === null ? number : `${number} ${settings.units[unit]}`;
}
