/** What the owner decided about the budgets of everybody. */
import { budgetRulesSchema } from '../../protocol/people-methods.ts';
import { defaultBudgetRules, type BudgetRules } from '../../rules/budget.ts';
import type { SettingsStore } from './settings.ts';

export type BudgetRuleStore = ReturnType<typeof createBudgetRuleStore>;

const key = 'budgets';

export function createBudgetRuleStore(settings: SettingsStore) {
  return {
    /** Rules that cannot be read are the ones that Andiron came with. */
    budgetRules: (): BudgetRules => settings.readSetting(key, budgetRulesSchema) ?? defaultBudgetRules,
    /** For what is asked from now on, and for people who come from now on. */
    setBudgetRules: (rules: BudgetRules): void => settings.writeSetting(key, rules),
  };
}
