/** Every hostile document, in the three ways in which documents are read. */
import { hostileDocuments } from '../../helpers/documents/hostile-documents.ts';
import { tryDocument, type Place } from '../../helpers/documents/try-document.ts';
import { sandboxHere } from '../../helpers/mcp/mcp-world.ts';

interface DocumentFaults {
  documents: number;
  /** Neither a text nor words came of them. */
  crashes: string[];
  overLimits: string[];
  late: string[];
}

export async function readHostileDocuments(isChosen: (name: string) => boolean): Promise<DocumentFaults> {
  const places: Place[] = [{ sandbox: await sandboxHere() }, {}, { nodePath: null }];
  const faults: DocumentFaults = { documents: 0, crashes: [], overLimits: [], late: [] };
  // The clock of the readers keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  for (const [index, document] of hostileDocuments(1).entries()) {
    if (!isChosen(document.name)) continue;
    const tried = await tryDocument(document, places[index % places.length]);
    faults.documents += 1;
    faults.crashes.push(...tried.crashes);
    if (tried.words === '') faults.crashes.push(`${document.name}: no words`);
    faults.overLimits.push(...tried.overLimits);
    faults.late.push(...tried.late);
    console.log(`  ${document.name}  ${tried.ms.toFixed(0)} ms  ${tried.words}`);
  }
  clearInterval(alive);
  return faults;
}
