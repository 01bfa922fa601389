/** Where diagrams are drawn. */
import { answerTasks } from '../task-pool.ts';
import { drawDiagram } from './draw-diagram.ts';

// What lays out graphs takes a thread without a document for its own, and would answer its messages. It does nothing with
// one; `self` it writes back, which here can only be read.
Object.defineProperty(globalThis, 'document', { value: {} });
Object.defineProperty(globalThis, 'self', { value: globalThis, writable: true });
answerTasks(drawDiagram);
