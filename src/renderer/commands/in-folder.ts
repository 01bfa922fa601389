/** Of a method that may look at a folder, too. */
export const inFolder = (workspace: string | null): { workspace?: string } =>
  workspace === null ? {} : { workspace };
