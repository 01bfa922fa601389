/** A profile as it stands on the disk: where, which files, what differs from the defaults, and the file itself. */
import type { Profile, ProfileFiles, ProfileProblem } from '../../../protocol/model.ts';
import { profiles, settings } from '../../text.ts';
import { CodeBlock, CopyButton } from '../../components/code/code-block.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import { promptNames, promptOf } from '../../stores/profile-drafts.ts';
import { differences } from './profile-differences.ts';
import { ProblemNote } from './profile-problem.tsx';

const text = profiles.file;

export function ProfileFile({ profile, problem }: { profile: Profile; problem: ProfileProblem | undefined }) {
  // Asked for anew whenever the profile says something else, and whenever this page is opened.
  const { value: files, failure } = useAnswer(filesKey(profile.id, profile), (ask) =>
    ask.profileFiles(profile.id),
  );
  return (
    <div className="file-page">
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
        <p className="profile-folder">
          <span className="mono cut grow" title={files.folder}>
            {files.folder}
          </span>
          <CopyButton text={files.folder} />
        </p>
        <dl className="rows file-rows">
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
        <p className="meta line-of">{profile.builtIn ? settings.profiles.builtInNote : text.editNote}</p>
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
