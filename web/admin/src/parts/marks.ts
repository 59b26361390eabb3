/** What is selected: single rows, or everything that the filters match but these. */
export type SelectedRows = { all: true; except: string[] } | { all: false; ids: string[] };

/** What is marked in a table. With `all`, everything is selected and the marked rows are those that are not. */
export interface Marks {
  all: boolean;
  marked: ReadonlySet<string>;
}
export const NO_MARKS: Marks = { all: false, marked: new Set() };
export const ALL_MARKED: Marks = { all: true, marked: new Set() };

export function withMarks({ all, marked }: Marks, ids: readonly string[], on: boolean): Marks {
  const next = new Set(marked);
  for (const id of ids) on === all ? next.delete(id) : next.add(id);
  return { all, marked: next };
}

export const isMarked = ({ all, marked }: Marks, id: string): boolean => marked.has(id) !== all;

export const anyMarked = ({ all, marked }: Marks): boolean => all || marked.size > 0;

/** How many are selected; null if everything is and nobody counted it. */
export const countOf = ({ all, marked }: Marks, total?: number): number | null =>
  !all ? marked.size : total === undefined ? null : Math.max(0, total - marked.size);

export const chosenOf = ({ all, marked }: Marks): SelectedRows =>
  all ? { all: true, except: [...marked] } : { all: false, ids: [...marked] };
