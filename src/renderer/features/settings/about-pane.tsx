import { useState } from 'react';
import type { About } from '../../../protocol/person-methods.ts';
import { dates, person } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { ScrollText } from '../../components/scroll-region.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { BuildFacts } from '../../commands/build-facts.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { useEngine, useStores } from '../../stores/stores.ts';
import { diagnosticsOf, sandboxWords, searchPathWords, shortPath } from './diagnostics.ts';
import { FailureLine, Row, SettingGroup, SettingRow } from './pane-parts.tsx';
import { useAsked } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import aboutStyles from './about.module.css';

const text = person.about;
const { rows } = text;

/** What this Andiron is and runs on, what to tell others when it fails, and what it is built of. */
export function AboutPane() {
  const { run, web } = useCommands();
  const { value: about, failure, again } = useAsked('about', (ask) => ask.about());
  const build = useBuild();
  const engine = useEngine((state) => state.engine?.status);
  const runtimes = about?.runtimes;
  // What is still to come is not called unknown.
  const missing = about || failure ? text.unknown : text.asking;
  return (
    <div className={settingsStyles.pane}>
      <header className={aboutStyles.ofProduct}>
        <Icon name="mark" />
        <div>
          <p className={aboutStyles.product}>Andiron</p>
          <p className="meta">{text.tagline}</p>
        </div>
      </header>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      <dl className={`${settingsStyles.rows} num`}>
        <Row label={rows.version.label}>
          {about?.version ?? missing}
          <span className={`meta ${aboutStyles.besideFigure}`}>{buildWords(build)}</span>
        </Row>
        <Row label={rows.runs.label}>{about ? `${about.platform}, ${about.arch}` : missing}</Row>
        <Row label={rows.electron.label}>{about ? (runtimes?.electron ?? text.none) : missing}</Row>
        <Row label={rows.chromium.label}>{runtimes?.chromium ?? browserVersion() ?? text.unknown}</Row>
        <Row label={rows.node.label}>{runtimes?.node ?? missing}</Row>
        <Row label={rows.sqlite.label}>{runtimes?.sqlite ?? missing}</Row>
        <Row label={rows.ollama.label}>
          {engine?.kind === 'running' ? engine.version : text.unknown}{' '}
          {engine?.kind === 'running' && engine.simulated && <span className="tag">{text.simulated}</span>}
        </Row>
        <Row label={rows.searchPath.label}>{about ? searchPathWords(about) : missing}</Row>
        <Row label={rows.sandbox.label}>{about ? sandboxWords(about) : missing}</Row>
        <Row label={rows.logs.label}>
          <span className={settingsStyles.pathRow}>
            <span className="mono">{about ? about.logsDir : missing}</span>
            {about && <CopyButton text={about.logsDir} />}
          </span>
        </Row>
      </dl>
      <SettingRow {...rows.firstStart}>
        {(help) => (
          <Button aria-describedby={help} onClick={() => void run('first-run/open')}>
            {text.openFirstStart}
          </Button>
        )}
      </SettingRow>
      <SettingRow {...rows.signOut}>
        {(help) =>
          web ? (
            <Button aria-describedby={help} onClick={() => void run('connection/sign-out')}>
              {text.signOut}
            </Button>
          ) : (
            <span className="t2">{text.noSignIn}</span>
          )
        }
      </SettingRow>
      <SettingGroup {...rows.diagnostics}>
        {about && <Diagnostics about={about} build={build} />}
      </SettingGroup>
      <SettingGroup
        {...rows.licences}
        aside={build.facts && <span className="meta num">{text.packages(build.facts.packages.length)}</span>}
      >
        <Licences build={build} />
      </SettingGroup>
    </div>
  );
}

interface Build {
  facts: BuildFacts | null;
  /** Asked for, and there are none: the source runs. */
  absent: boolean;
}

function useBuild(): Build {
  const { value } = useAnswer('build', async (ask) => ({ facts: await ask.build() }));
  return { facts: value?.facts ?? null, absent: value?.facts === null };
}

function buildWords({ facts, absent }: Build): string {
  if (absent) return text.fromSource;
  if (!facts) return '';
  return facts.commit === null
    ? text.buildDay(dates.dayOf(facts.at))
    : text.build(facts.commit, dates.dayOf(facts.at));
}

/** A page in a browser knows the Chromium that shows it. */
function browserVersion(): string | null {
  return /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? null;
}

function Diagnostics({ about, build }: { about: About; build: Build }) {
  const stores = useStores();
  // Of this moment: what is copied is what is shown.
  const [shown] = useState(() => ({
    host: stores.host.getState(),
    engine: stores.engine.getState(),
    window: { width: window.innerWidth, height: window.innerHeight, agent: navigator.userAgent },
  }));
  const words = diagnosticsOf({ about, commit: build.facts?.commit ?? null, ...shown });
  return (
    <div className={`codebox ${aboutStyles.diagnostics}`}>
      <header>
        <span className="meta cut grow">
          {about.homeDir !== null && shortPath(about.dataDir, about.homeDir) !== about.dataDir && text.home}
        </span>
        <CopyButton text={words} />
      </header>
      <ScrollText className="code" label={rows.diagnostics.label}>
        {words}
      </ScrollText>
    </div>
  );
}

function Licences({ build: { facts, absent } }: { build: Build }) {
  const [open, setOpen] = useState<string | null>(null);
  if (absent) return <p className={`t2 ${settingsStyles.setNote}`}>{text.licencesFailed}</p>;
  return (
    <ul className={`${settingsStyles.setList} ${aboutStyles.licences}`}>
      {facts?.packages.map(({ name, version, licence, words }) => (
        <li key={`${name} ${version}`}>
          <details
            open={open === name}
            onToggle={(event) => {
              if (event.currentTarget.open) setOpen(name);
            }}
          >
            <summary>
              <span className="mono cut">{name}</span>
              <span className="meta num">{version}</span>
              <span className="meta">{licence ?? text.licenceUnknown}</span>
            </summary>
            {open === name && (
              <ScrollText className="out" label={text.licenceOf(name)}>
                {words ?? licence ?? text.licenceUnknown}
              </ScrollText>
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}
