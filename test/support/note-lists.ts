import { Body, ChangedQuery, Page, PageQuery, Text } from '@turnout/contract';
import Type from 'typebox';
import { newId, toUlid } from '../../server/src/common/ids.ts';
import { operation } from '../../server/src/road/operation.ts';
import { byChange } from '../../server/src/road/read/page.ts';
import { stampOrganization } from '../../server/src/store/clocks.ts';
import { insertRow } from '../../server/src/store/rows.ts';
import { name, sql } from '../../server/src/store/sql.ts';

/**
 * A made-up resource, as a newcomer might declare it: notes that are listed and created. Each variant makes one mistake, or none,
 * for the guards of lists.test.ts to find.
 */
interface Mistakes {
  /** Rows are stamped with the time of day instead of a clock. */
  timeOfDay?: boolean;
  /** The table has no index in the order of the list. */
  noIndex?: boolean;
  /** Clients cannot ask for what has changed. */
  noUpdatedSince?: boolean;
}

const Note = Type.Object({ id: Type.String(), text: Type.String(), updated_at: Type.String() });
interface NoteRow {
  id: string;
  text: string;
  updated_at: string;
}

export const notes = (table: string, { timeOfDay, noIndex, noUpdatedSince }: Mistakes = {}) => {
  const shape = ({ id, text, updated_at }: NoteRow) => ({ id: toUlid(id), text, updated_at });
  const common = {
    entitlement: 'api_read',
    member: null,
    at: {},
    path: `/${table}`,
    refusals: [],
    tag: 'Notes',
  } as const;
  return {
    schema: `
      create table ${table} (
        org_id uuid not null, id uuid not null, text text not null, updated_at timestamptz not null, primary key (org_id, id));
      ${noIndex ? '' : `create index ${table}_changed on ${table} (org_id, updated_at, id);`}
      select make_tenant_table('${table}');`,
    list: operation({
      ...common,
      id: `list_${table}`,
      method: 'GET',
      scope: 'read',
      query: Body(noUpdatedSince ? PageQuery : ChangedQuery),
      reply: Page(Note),
      summary: 'List notes',
      handle: async ({ tx, org, query }) => {
        const list = byChange([table], query, 'n');
        const rows = await tx.all<NoteRow>(sql`
          select n.id, n.text, n.updated_at from ${name(table)} n where n.org_id = ${org} and ${list.where} ${list.order}`);
        return list.page(rows, shape);
      },
    }),
    create: operation({
      ...common,
      id: `create_${table}`,
      method: 'POST',
      scope: 'write',
      audit: 'note.created',
      body: Body({ text: Text(200) }),
      reply: Note,
      status: 201,
      summary: 'Create a note',
      handle: async ({ tx, org, body, changed }) => {
        const updated_at = timeOfDay ? tx.clock.now().toISOString() : await stampOrganization(tx, org);
        const row = { id: newId(tx.clock.now()), text: body.text, updated_at };
        await insertRow(tx, table, { org_id: org, ...row });
        changed({ kind: 'note', id: row.id, changes: { text: [null, body.text] } });
        return shape(row);
      },
    }),
  };
};
