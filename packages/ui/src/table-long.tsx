import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { ROLES, Rows, type RowsProps } from './table-rows.tsx';

const ROW_HEIGHT = 41;

/** Of a long table only the rows near the screen, with room for those above and below. */
export default function LongRows<Row>({ box, ...of }: RowsProps<Row> & { box: RefObject<HTMLDivElement | null> }) {
  const virtual = useWindowVirtualizer({
    count: of.rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin: box.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const { scrollMargin } = virtual.options;
  return (
    <>
      <Spacer height={(first?.start ?? 0) - scrollMargin} columns={of.columns.length} />
      <Rows {...of} from={first?.index ?? 0} to={last === undefined ? 0 : last.index + 1} />
      <Spacer height={virtual.getTotalSize() - (last?.end ?? 0) + scrollMargin} columns={of.columns.length} />
    </>
  );
}

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height <= 0 ? null : (
    <tr {...ROLES.none} className="spacer" style={{ height }}>
      <td {...ROLES.none} colSpan={columns} />
    </tr>
  );
