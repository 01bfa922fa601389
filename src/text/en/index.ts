/** English, whole: the dictionary that every other language has to fill. */
import { changedFiles } from './changed-files.ts';
import { commands } from './commands.ts';
import { composer } from './composer.ts';
import { dates } from './dates.ts';
import { contextUse, timeline, tokenTable } from './token-table.ts';
import { enginePanel } from './engine-panel.ts';
import { engine } from './engine.ts';
import { errorHeads } from './error-heads.ts';
import { exam } from './exam.ts';
import { figures } from './figures.ts';
import { files } from './files.ts';
import { formCard } from './form-words.ts';
import { ledger } from './ledger.ts';
import { library } from './library.ts';
import { menu } from './menu.ts';
import { notifications } from './notifications.ts';
import { onboarding } from './onboarding.ts';
import { person } from './person.ts';
import { plan } from './plan.ts';
import { prices } from './prices.ts';
import { profiles } from './profiles.ts';
import { prose } from './prose.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { signs } from './signs.ts';
import { slow } from './slow.ts';
import { bindingsPane } from './binding-words.ts';
import { collectionsPane } from './collection-words.ts';
import { connectionsPane } from './connection-words.ts';
import { skillsPane } from './skill-words.ts';
import { peoplePane } from './people-words.ts';
import { schedulePane } from './schedule-words.ts';
import { waysPane } from './ways-words.ts';
import { webPane } from './web-words.ts';
import { usagePane } from './token-counts.ts';
import { tools } from './tools.ts';
import { tour } from './tour.ts';
import { transcript } from './transcript.ts';

export const en = {
  changedFiles,
  commands,
  composer,
  dates,
  contextUse,
  timeline,
  tokenTable,
  enginePanel,
  engine,
  errorHeads,
  exam,
  figures,
  files,
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
};
