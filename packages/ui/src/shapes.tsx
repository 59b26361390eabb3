import type { CSSProperties, ReactNode } from 'react';

/**
 * What stands in place of content while it is loaded, inside `<Skeleton>` or as the `shape` of a QueryResult. The shapes have the same
 * classes, and so the same height, as what comes; give them the numbers that are most likely.
 */

const times = (count: number, draw: (index: number) => ReactNode) => Array.from({ length: count }, (_, i) => draw(i));

/** One line of text as wide as `width` of its place. */
const Bar = ({ width }: { width: string }) => <span className="bar" style={{ '--bar': width } as CSSProperties} />;

const WIDTHS = ['88%', '64%', '76%'];
const widthOf = (index: number) => WIDTHS[index % WIDTHS.length]!;

/** Lines of text. */
export const LinesShape = ({ lines = 4 }: { lines?: number }) => (
  <div className="shape-lines">
    {times(lines, (i) => (
      <Bar key={i} width={widthOf(i)} />
    ))}
  </div>
);

/** A `Table`, with its head. On a phone its rows are blocks with a line for each column. `tall`: rows with a button in them. */
export const TableShape = ({ rows = 5, columns = 4, tall }: { rows?: number; columns?: number; tall?: boolean }) => (
  <div className="shape-table" data-tall={tall || undefined} style={{ '--columns': columns } as CSSProperties}>
    {times(rows + 1, (row) => (
      <div key={row}>
        {times(columns, (column) => (
          <Bar key={column} width={column === 0 ? '70%' : widthOf(row + column)} />
        ))}
      </div>
    ))}
  </div>
);

/** A `DataTable` without what stands above it; its rows are cards of two lines on a phone. */
export const DataShape = ({ rows = 8 }: { rows?: number }) => (
  <div className="shape-data">
    {times(rows, (row) => (
      <div key={row}>
        <Bar width={widthOf(row)} />
        <Bar width={widthOf(row + 1)} />
      </div>
    ))}
  </div>
);

/** Boxes beside each other, each as high as `height` and at least as wide as `width`. */
export const CardsShape = ({ cards = 3, height = '9rem', width = '16rem' }) => (
  <div className="shape-cards" style={{ '--height': height, '--width': width } as CSSProperties}>
    {times(cards, (i) => (
      <span key={i} />
    ))}
  </div>
);

/** The fields of a `Form`, each with its label, and its button. */
export const FormShape = ({ fields = 3, button = true }: { fields?: number; button?: boolean }) => (
  <div className="form">
    {times(fields, (i) => (
      <div className="field" key={i}>
        <span className="label-line">
          <Bar width="8rem" />
        </span>
        <span className="shape-input" />
      </div>
    ))}
    {button && <span className="shape-input" data-button="" />}
  </div>
);

/** A row of large numbers with their names above them. */
export const FiguresShape = ({ figures = 4 }: { figures?: number }) => (
  <div className="shape-figures">
    {times(figures, (i) => (
      <div key={i}>
        <Bar width="5rem" />
        <Bar width="3rem" />
      </div>
    ))}
  </div>
);

/** A `Section` with its rule, its title and, with `lead`, a line below that. */
export const SectionShape = ({ lead, children }: { lead?: boolean; children?: ReactNode }) => (
  <div className="section">
    <div className="shape-title">
      <Bar width="10rem" />
      {lead && <Bar width="22rem" />}
    </div>
    {children}
  </div>
);
