/** Over a sentence that the person did not write. */
const fromNamed = {
  file: 'From the file',
  attachment: 'From the attached file',
  command: 'From the output of',
  host: 'From what a command got from',
  page: 'From a page of',
  web: 'From what a web search found',
  search: 'From what a search found',
  names: 'From names of files',
  subagent: 'From the answer of a subagent',
  tool: 'From the result of a tool',
  server: 'From the server',
  collection: 'From the collection',
  skill: 'From the skill',
  memory: 'From what Andiron remembers of other texts',
  import: 'From an imported conversation',
  summary: 'From the summary of this session',
};
const fromUnnamed = {
  file: 'From a file',
  attachment: 'From an attached file',
  command: 'From the output of a command',
  host: 'From the output of a command',
  page: 'From a web page',
  skill: 'From a skill',
};

/** After `from` comes the name of a file, a command or a host. */
export const foreignQuote = {
  from: fromNamed,
  fromUnnamed: { ...fromNamed, ...fromUnnamed },
  notFromYou: ', not from you:',
};
