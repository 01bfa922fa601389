/** Where long Markdown is parsed: a thread that the page ends when it takes too long. */
import { answerTasks } from '../task-pool.ts';
import { lexMarkdown } from './lex.ts';

answerTasks(lexMarkdown);
