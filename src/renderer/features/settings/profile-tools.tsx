/** Which tools a profile has: what each does, what it may do to the computer, and what it takes of every prompt. */
import type { ReactNode } from 'react';
import type { Profile, ProfileChanges, Risk } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { toolModules, type ToolModule } from '../../../protocol/tools.ts';
import { profiles, settings } from '../../text.ts';
import { Bar } from '../../components/bar.tsx';
import { textOf } from '../../components/tool-verb.ts';
import { withTool, type HeadCost } from './profile-head.ts';
import styles from './profiles.module.css';
import bars from '../../components/bar.module.css';

const text = profiles.tools;

const moduleOf: Readonly<Record<string, ToolModule>> = toolModules;

/** Every tool that can be chosen or is, in the order in which a profile lists them. */
export function toolNames(facts: readonly ToolFacts[] | null, ...chosen: readonly string[][]): string[] {
  const there = facts?.map(({ name }) => name) ?? [];
  const known = Object.keys(toolModules).filter((name) => facts === null || there.includes(name));
  return [...new Set([...known, ...there, ...chosen.flat()])];
}

interface ProfileToolsProps {
  profile: Profile;
  /** null = not answered yet: the tools are shown without their figures. */
  facts: ToolFacts[] | null;
  cost: HeadCost | null;
  /** Tokens a millisecond of the session's model; null = unknown. */
  rate: number | null;
  onChange: (changes: ProfileChanges) => void;
  /** Over the tools. */
  children: ReactNode;
}

export function ProfileTools({ profile, facts, cost, rate, onChange, children }: ProfileToolsProps) {
  const names = toolNames(facts, profile.tools);
  return (
    <section aria-label={settings.profiles.tools}>
      <h3>
        {settings.profiles.tools}
        <span className="meta">{settings.profiles.toolsCount(profile.tools.length)}</span>
      </h3>
      {children}
      <ToolChoice
        facts={facts}
        names={names}
        chosen={profile.tools}
        onToggle={(name) => onChange({ tools: withTool(profile.tools, name, names) })}
      />
      {cost && <HeadFigures profile={profile} cost={cost} rate={rate} />}
    </section>
  );
}

interface ToolChoiceProps {
  facts: readonly ToolFacts[] | null;
  names: readonly string[];
  chosen: readonly string[];
  /** One that cannot be taken away now. */
  fixed?: string | null;
  onToggle: (name: string) => void;
}

/** Check boxes in groups. */
export function ToolChoice({ facts, names, chosen, fixed = null, onToggle }: ToolChoiceProps) {
  const groups = Object.entries(text.groups).map(([id, label]) => ({
    id,
    label,
    tools: names.filter((name) => (moduleOf[name] ?? 'others') === id),
  }));
  return (
    <div className={styles.toolGroups}>
      {groups.map(
        ({ id, label, tools }) =>
          tools.length > 0 && (
            <fieldset key={id}>
              <legend className="meta">{label}</legend>
              {tools.map((name) => (
                <ToolRow
                  key={name}
                  name={name}
                  fact={facts?.find((fact) => fact.name === name) ?? null}
                  on={chosen.includes(name)}
                  fixed={fixed === name}
                  onToggle={() => onToggle(name)}
                />
              ))}
            </fieldset>
          ),
      )}
    </div>
  );
}

function helpOf(name: string, fact: ToolFacts | null): string {
  const words = textOf(name);
  const help = words?.help ?? fact?.description ?? text.unknown;
  return fact?.isMissing ? (words?.missing ?? help) : help;
}

interface ToolRowProps {
  name: string;
  fact: ToolFacts | null;
  on: boolean;
  fixed: boolean;
  onToggle: () => void;
}

function ToolRow({ name, fact, on, fixed, onToggle }: ToolRowProps) {
  return (
    <label className={on ? styles.tool : `${styles.tool} ${styles.off}`} title={fact?.description}>
      <input type="checkbox" className="box" checked={on} disabled={fixed} onChange={onToggle} />
      <span className="min-0">
        <span className="mono">{name}</span>{' '}
        <span className={`meta ${styles.what}`}>{helpOf(name, fact)}</span>
      </span>
      {fact && <RiskWord risk={fact.risk} />}
      {fact && (
        <span className={`meta num ${styles.tokens}`}>
          <span aria-hidden="true">{text.tokens(fact.tokens)}</span>
          <span className="sr-only">{text.tokensLabel(fact.tokens)}</span>
        </span>
      )}
    </label>
  );
}

/** What only reads says so quietly; the rest stands out by its tag. */
function RiskWord({ risk }: { risk: Risk }) {
  return (
    <span className={risk === 'read' ? 'meta' : 'tag'} title={text.riskHelp[risk]}>
      {text.risks[risk]}
    </span>
  );
}

function HeadFigures({ profile, cost, rate }: { profile: Profile; cost: HeadCost; rate: number | null }) {
  const total = cost.tools + cost.texts;
  const words = rate === null ? text.about(total) : text.aboutTime(total, total / rate);
  return (
    <div className={`${styles.headCost} num`}>
      <dl>
        <div>
          <dt>{text.costTools(profile.tools.length)}</dt>
          <dd>{text.about(cost.tools)}</dd>
        </div>
        <div>
          <dt>{text.costTexts}</dt>
          <dd>{text.about(cost.texts)}</dd>
        </div>
        <div className={styles.total}>
          <dt>{text.cost}</dt>
          <dd>{words}</dd>
        </div>
      </dl>
      <Bar
        label={`${text.cost}: ${words}`}
        total={profile.contextTokens}
        parts={[
          { key: 'texts', look: bars.cached, value: cost.texts },
          { key: 'tools', look: bars.fresh, value: cost.tools },
        ]}
      />
      <p className="meta">{text.share(total / profile.contextTokens, profile.contextTokens)}</p>
    </div>
  );
}
