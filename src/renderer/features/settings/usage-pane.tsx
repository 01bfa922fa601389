import { useState } from 'react';
import type { UsageGroup, UsageSums } from '../../../protocol/usage-methods.ts';
import { count, money } from '../../formats.ts';
import { IconButton } from '../../components/button.tsx';
import type { TokenUse, UsagePeriod } from '../../commands/token-use.ts';
import { useCommands } from '../../commands/commands.ts';
import { dates, settings, usagePane as text } from '../../text.ts';
import { Segments } from './controls.tsx';
import { ActionRow, FailureLine, SettingGroup, Unanswered } from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import usageStyles from './usage.module.css';

const { parts, columns } = text;
const periods: UsagePeriod[] = ['today', 'week', 'month', 'all'];
/** More days are for a spreadsheet. */
const maxDays = 31;

/** What the models have read and written, and what it cost where somebody says so. */
export function UsagePane() {
  const [period, setPeriod] = useState<UsagePeriod>('week');
  const asked = useAsked(`usage:${period}`, (ask) => ask.tokenUse(period));
  const { value: use, again } = asked;
  return (
    <div className={settingsStyles.pane}>
      <header className={settingsStyles.usageHead}>
        <h2 id="usage-period">{settings.sections.usage}</h2>
        <Segments
          label={text.period}
          value={period}
          segments={periods.map((value) => ({ value, label: text.periods[value] }))}
          describedBy="usage-period"
          onChoose={setPeriod}
        />
        <IconButton icon="redo" label={text.again} onClick={again} />
      </header>
      <Unanswered {...{ asked, text }} />
      {use && (use.totals.requests === 0 ? <NoUse isAll={period === 'all'} /> : <Use use={use} />)}
      {use && use.totals.requests > 0 && <Export period={period} />}
    </div>
  );
}

function NoUse({ isAll }: { isAll: boolean }) {
  return (
    <div className={usageStyles.usageNone}>
      <p className="medium">{isAll ? text.noneYet : text.none}</p>
      <p className="meta">{text.noneHelp}</p>
    </div>
  );
}

function Use({ use: { totals, models, days } }: { use: TokenUse }) {
  const { readTokens, outputTokens, requests, uncounted } = totals;
  const known = readTokens === null && outputTokens === null ? null : (readTokens ?? 0) + (outputTokens ?? 0);
  const newest = days.toReversed();
  const hasCost = totals.costs.length > 0;
  return (
    <>
      <section className={usageStyles.usageTotal}>
        <p>
          <span className={`${usageStyles.usageFigure} num`}>
            {known === null ? text.unknown : count(known)}
          </span>
          <span className="t2">{text.tokens}</span>
        </p>
        <p className="meta num">
          {text.requests(requests)}
          {uncounted > 0 && `. ${text.uncounted(uncounted)}`}
        </p>
      </section>
      <SettingGroup {...parts.models}>
        <Sums name={columns.model} groups={models} hasCost={hasCost} nameOf={(model) => model} />
      </SettingGroup>
      <SettingGroup {...parts.days}>
        <Sums name={columns.day} groups={newest.slice(0, maxDays)} hasCost={hasCost} nameOf={dayName} />
        {newest.length > maxDays && (
          <p className={`meta ${settingsStyles.paneNote}`}>{text.olderDays(newest.length - maxDays)}</p>
        )}
      </SettingGroup>
    </>
  );
}

interface SumsProps {
  name: string;
  groups: readonly UsageGroup[];
  hasCost: boolean;
  nameOf: (key: string) => string;
}

function Sums({ name, groups, hasCost, nameOf }: SumsProps) {
  return (
    <table className={`grid ${usageStyles.usageSums}`}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          {[columns.read, columns.cached, columns.written, ...(hasCost ? [columns.cost] : [])].map((each) => (
            <th key={each} scope="col" className="r">
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.key}>
            <th scope="row">
              <span className="cut block" dir="auto" title={nameOf(group.key ?? '')}>
                {nameOf(group.key ?? '')}
              </span>
            </th>
            <td className="r">{figure(group.readTokens)}</td>
            <td className="r t2">{figure(group.cachedTokens)}</td>
            <td className="r">{figure(group.outputTokens)}</td>
            {hasCost && <td className="r">{costOf(group)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const figure = (tokens: number | null): string => (tokens === null ? text.unknown : count(tokens));

const costOf = ({ costs }: Pick<UsageSums, 'costs'>): string =>
  costs.length === 0 ? text.noCost : costs.map(({ nano, currency }) => money(nano, currency)).join(' + ');

/** Of `2026-01-31`, as the host's own clock counts days. */
const dayName = (key: string): string => dates.dayOf(new Date(`${key}T12:00:00`).getTime());

function Export({ period }: { period: UsagePeriod }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [outcome, setOutcome] = useState<string | null>(null);
  const save = (): void => {
    setOutcome(null);
    void attempt(async () => {
      const saved = await actions.exportUsage(period);
      if (saved !== null) setOutcome(saved.handedOver ? text.handedOver : text.exported);
    });
  };
  return (
    <div className={settingsStyles.care}>
      <ActionRow {...parts.export} busy={busy} onClick={save}>
        {text.export}
      </ActionRow>
      <output className="meta">{outcome}</output>
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}
