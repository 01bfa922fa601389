/** Where formulas are set. */
import { answerTasks } from '../task-pool.ts';
import { typesetMath } from './typeset-math.ts';

answerTasks(typesetMath);
