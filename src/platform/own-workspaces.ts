/** Folders of the data folder in which sessions work. Tools may open them; all else in the data folder is closed to tools. */
export const demoWorkspace = 'demo-workspace';
export const firstTasks = 'first-tasks';
/** An empty folder for each imported session. */
export const importedWorkspaces = 'imported';

/** One for each conversation of another platform. */
export const placeWorkspaces = 'people';

export const ownWorkspaces: readonly string[] = [
  demoWorkspace,
  firstTasks,
  importedWorkspaces,
  placeWorkspaces,
];
