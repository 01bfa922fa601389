/** What a person reads here, in the language of this window: chosen when it loads, and then for good. */
import { languageFor } from '../text/languages.ts';

const { language, dictionary } = languageFor(navigator.languages);

/** For `lang` of the page: a screen reader speaks by it. */
export { language };

export const {
  changedFiles,
  commands,
  composer,
  contextUse,
  timeline,
  tokenTable,
  enginePanel,
  engine,
  exam,
  files,
  firstTask,
  formCard,
  ledger,
  library,
  menu,
  notifications,
  onboarding,
  person,
  plan,
  prices,
  profiles,
  prose,
  sessions,
  settings,
  setup,
  shell,
  signs,
  slow,
  tools,
  tour,
  transcript,
  bindingsPane,
  collectionsPane,
  connectionsPane,
  skillsPane,
  peoplePane,
  schedulePane,
  waysPane,
  webPane,
  usagePane,
} = dictionary;
