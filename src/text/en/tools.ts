/** What each tool is called in the window. */
interface ToolText {
  /** At the head of its cards. */
  verb: string;
  /** For the person who decides whether a profile gets it. */
  help: string;
  /** What it needs before a prompt has it. */
  missing?: string;
  /** Where "Allow … for this session" says it; absent = its name stands there. */
  doing?: string;
}

export const tools = {
  read_file: { verb: 'Read', help: 'reads a file', doing: 'reading' },
  write_file: { verb: 'Write', help: 'writes a new file', doing: 'writing' },
  edit_file: { verb: 'Edit', help: 'changes a file', doing: 'editing' },
  create_document: { verb: 'Write', help: 'writes a document', doing: 'writing documents' },
  list_files: { verb: 'List', help: 'lists a folder', doing: 'listing' },
  glob: { verb: 'Find', help: 'finds files by name', doing: 'finding files' },
  search: { verb: 'Search', help: 'searches in files', doing: 'searching' },
  run_command: { verb: 'Run', help: 'runs a command' },
  spawn_agent: { verb: 'Agent', help: 'delegates a part' },
  switch_profile: { verb: 'Switch', help: 'takes another profile' },
  list_profiles: { verb: 'List', help: 'lists the profiles' },
  todo: { verb: 'Todo', help: 'keeps its list of steps' },
  scratchpad: { verb: 'Notes', help: 'keeps notes for itself' },
  memory_save: { verb: 'Keep', help: 'remembers a fact' },
  memory_search: { verb: 'Recall', help: 'looks facts up' },
  schedule_add: { verb: 'Schedule', help: 'plans a task for later' },
  schedule_list: { verb: 'List', help: 'lists the jobs' },
  schedule_cancel: { verb: 'Cancel', help: 'removes a job' },
  load_skill: {
    verb: 'Load',
    help: 'opens a skill',

    doing: 'loading skills',
  },
  tool_search: { verb: 'Look up', help: 'finds tools of your connections', doing: 'finding tools' },
  tool_call: { verb: 'Call', help: 'calls a tool of your connections' },
  fetch_url: { verb: 'Read', help: 'reads a web page', doing: 'reading web pages' },
  web_search: {
    verb: 'Search web',
    help: 'searches the web',
    missing: 'needs a search service: Settings, Connections',
    doing: 'searching the web',
  },
  search_collections: {
    verb: 'Search collections',
    help: 'finds passages in your collections',
    missing: 'needs a collection: Settings, Collections',
    doing: 'searching collections',
  },
} satisfies Record<string, ToolText>;

const byName: Readonly<Record<string, ToolText>> = tools;

/** What it does, or its name. */
export const toolDoing = (name: string): string =>
  (Object.hasOwn(byName, name) ? byName[name]?.doing : undefined) ?? name;
