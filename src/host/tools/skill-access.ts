/** What `load_skill` needs of the skills that are there; `host/workspaces.ts` supplies it. */
export interface SkillAccess {
  /** What the model reads of it. Throws ToolFailure for one that is not there, or not allowed as it is now. */
  load(name: string, session: { sessionId: string; workspace: string }): Promise<string>;
}
