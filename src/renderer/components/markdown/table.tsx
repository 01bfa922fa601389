import type { Tokens } from 'marked';
import { prose } from '../../text.ts';
import { CopyButton } from '../code/code-block.tsx';
import { positions } from '../positions.ts';
import { ScrollRegion } from '../scroll-region.tsx';
import { Inline } from './inline.tsx';
import type { TablePiece } from './lex.ts';
import { tableText } from './table-text.ts';
import styles from './table.module.css';

/** A table scrolls within itself. Its head has what copies all of it: for a spreadsheet, or as it was written. */
export function Table({ token, growing }: { token: Tokens.Table & TablePiece; growing: boolean }) {
  const { whole = token } = token;
  const table = (
    <ScrollRegion className={styles.scroll} label={prose.table}>
      <table className="grid" dir="auto">
        {token.header.length > 0 && (
          <thead>
            <tr>
              {positions(token.header).map(({ at, piece: cell }) => (
                <th key={at} className={alignment(cell.align)}>
                  <Inline tokens={cell.tokens} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {positions(token.rows).map(({ at, piece: row }) => (
            <tr key={at}>
              {positions(row).map(({ at: column, piece: cell }) => (
                <td key={column} className={alignment(cell.align)}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
  if (token.header.length === 0) return table;
  return (
    <figure className={styles.box}>
      {/* Before the table, where the keyboard finds it first. */}
      <div className={styles.acts}>
        <CopyButton
          text={() => tableText([token.header, ...whole.rows])}
          words={prose.copyTable}
          disabled={growing}
        />
        <CopyButton text={whole.raw.trim()} words={prose.copyMarkdown} disabled={growing} />
      </div>
      {table}
    </figure>
  );
}

function alignment(align: Tokens.TableCell['align']): string | undefined {
  if (align === 'right') return 'r';
  return align === 'center' ? 'c' : undefined;
}
