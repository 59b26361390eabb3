/** What `docs/reference/schema.sql` says about a table. Columns that explain themselves need no note. */
export interface TableNote {
  about: string;
  columns?: Readonly<Record<string, string>>;
}

export interface Section {
  title: string;
  tables: Readonly<Record<string, TableNote>>;
}
