import type { CommandChanges, UndoCoverage } from '../../protocol/changed-files.ts';

interface CommandOwner {
  sessionId: string;
  callId: string;
  /** Real path. */
  workspace: string;
}

/** Keeps the way back from what a command does in its folder. */
export interface CommandRecorder {
  /** What could be taken back of a command there now. Resolves within a few seconds. */
  coverage(workspace: string): Promise<UndoCoverage>;
  /**
   * Before the command: durable when it resolves. Rejects where the disk fails, and with ToolFailure where the folder is no
   * longer covered as it was `promised`; undefined = nothing was.
   */
  begin(owner: CommandOwner, promised: UndoCoverage | undefined): Promise<RecordedCommand>;
}

export interface RecordedCommand {
  /** Once all of the command is over. null = what it did cannot be told. */
  ended(): Promise<CommandChanges | null>;
}
