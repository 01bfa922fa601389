/**
 * What a person reads here, in the language that the window has at the moment. These are the only things of a module that
 * change: some hundred files name their texts, and none of them is to be loaded again for another language. Read them
 * where they are drawn; `npm run voice` finds a text that a module keeps from the moment when it was loaded.
 */
import { firstDictionary, type Dictionary } from '../text/dictionaries.ts';
import { liveTexts } from '../text/live-texts.ts';

const { texts, speak } = liveTexts(firstDictionary);

/** Everything that is drawn from now on is in these words; what is drawn already has to be drawn again. */
export const speakFrom: (dictionary: Dictionary) => void = speak;

export const {
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
} = texts;
