import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import styles from './card.module.css';

interface StopOneProps {
  command: 'call/stop' | 'agent/stop';
  callId: string;
  /** What it says, and what once it is asked for. */
  words: string;
  asked: string;
}

/** Stops one command or subagent alone: the turn goes on with what that has. */
export function StopOne({ command, callId, words, asked }: StopOneProps) {
  const { run } = useCommands();
  const [isAsked, setAsked] = useState(false);
  const stop = async (): Promise<void> => {
    setAsked(true);
    if (!(await run(command, { callId }))) setAsked(false);
  };
  return (
    <Button small icon="stop" className={styles.stopAgent} disabled={isAsked} onClick={() => void stop()}>
      {isAsked ? asked : words}
    </Button>
  );
}
