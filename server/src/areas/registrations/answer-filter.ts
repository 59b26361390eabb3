import { type Id, parseRef } from '../../common/ids.ts';
import { type Fault, invalid } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';

/*
 * Filtering attendees by their answers to questions that are filterable (areas/events/answer-filters.ts). Values of one question are
 * alternatives; of several questions, each must apply.
 */

/** One question, with the values of which an attendee must have one. The empty value stands for no answer. */
export interface Answered {
  question: Id;
  code: string;
  values: string[];
  /** The filter by which attendees are found. Null: not everybody's answers are written yet, so the answers themselves are asked. */
  filter: Id | null;
}

/** Reads `code:value` entries. Faults are added to `faults`, each with the position of its entry below `path`. */
export async function findAnswered(
  { tx, org }: Pick<Reach, 'tx' | 'org'>,
  event: Pick<EventRow, 'id'>,
  entries: readonly string[],
  path: string,
  faults: Fault[],
): Promise<Answered[]> {
  const rows = await tx.all<{ id: Id; code: string; filter_id: Id | null; ready: boolean }>(sql`
    select q.id, q.code, q.filter_id, coalesce(f.ready, false) as ready
    from questions q left join answer_filters f on f.org_id = q.org_id and f.id = q.filter_id
    where q.org_id = ${org} and q.event_id = ${event.id}`);
  const found = new Map<Id, Answered>();
  for (const [i, entry] of entries.entries()) {
    const colon = entry.indexOf(':');
    const fault = (message: string) => faults.push({ path: `${path}/${i}`, message });
    if (colon < 1) {
      fault('must be the code of a question, a colon and a value, such as diet:vegan');
      continue;
    }
    const { id, code } = parseRef(entry.slice(0, colon));
    const row = rows.find((one) => (id === null ? one.code.toLowerCase() === code?.toLowerCase() : one.id === id));
    if (row === undefined) fault(`no such question: ${entry.slice(0, colon)}`);
    else if (row.filter_id === null) fault(`the question ${row.code} is not filterable`);
    else {
      const filter = row.ready ? row.filter_id : null;
      const one = found.get(row.id) ?? { question: row.id, code: row.code, values: [], filter };
      found.set(row.id, one);
      const value = entry.slice(colon + 1);
      if (!one.values.includes(value)) one.values.push(value);
    }
  }
  return [...found.values()];
}

/** As `findAnswered`, for the query of a list. */
export async function readAnswered(
  reach: Pick<Reach, 'tx' | 'org'>,
  event: Pick<EventRow, 'id'>,
  entries: readonly string[] | undefined,
): Promise<Answered[]> {
  if (entries === undefined) return [];
  const faults: Fault[] = [];
  const answered = await findAnswered(reach, event, entries, 'answers', faults);
  return faults.length > 0 ? invalid(...faults) : answered;
}

/** Whether the attendee of this alias has one of the values. */
export const hasAnswered = (org: Id, { filter, code, values }: Answered, alias: string): Sql =>
  filter === null
    ? hasInAnswers(code, values, name(`${alias}.answers`))
    : sql`exists (select from attendee_answers v where v.org_id = ${org} and v.attendee_id = ${name(`${alias}.id`)}
        and v.filter_id = ${filter} and v.value = any(${values}) offset 0)`;

/**
 * The same, asked of the answers themselves. Most are stored under the code as it is spelled now; then a comparison of JSON, which
 * expands nothing, says the same as `answer_values`.
 */
const hasInAnswers = (code: string, values: readonly string[], answers: Sql): Sql => {
  const stored = values.flatMap((value) => [
    value,
    [value],
    ...(/^(true|false)$/.test(value) ? [value === 'true'] : []),
  ]);
  return sql`case when jsonb_typeof(${answers} -> ${code}) in ('string', 'boolean', 'array')
    then ${answers} @> any(${stored.map((one) => JSON.stringify({ [code]: one }))}::jsonb[])
    else exists (select from answer_values(${answers}, ${code}) v where v = any(${values})) end`;
};

/** Up to how many rows are counted to find the answer that the fewest attendees have. */
const COUNTED = 2000;

/** The answer by which the list is read: of several, the one that the fewest attendees have. Null if none can be read yet. */
export async function leadingAnswer(tx: Tx, org: Id, answered: readonly Answered[]): Promise<Answered | null> {
  const ready = answered.filter((one) => one.filter !== null);
  if (ready.length <= 1) return ready[0] ?? null;
  const counts = ready.map(
    ({ filter, values }) => sql`(select count(*)::int from (select from attendee_answers t
      where t.org_id = ${org} and t.filter_id = ${filter} and t.value = any(${values}) limit ${COUNTED}) counted)`,
  );
  const { found } = await tx.one<{ found: number[] }>(unprepared(sql`select array[${join(counts, ', ')}] as found`));
  return ready[found.indexOf(Math.min(...found))]!;
}

/** How a list is read that is in the order of `key`, a column of `attendee_answers`, and then of the id. */
interface InOrder {
  key: 'name_key' | 'updated_at';
  newestFirst: boolean;
  /** The condition of the cursor on `k`, whose columns are `key` and `id`. */
  after: Sql;
  read: number;
}

/**
 * A page of attendees who have this answer. Every value has a range of the index, in which rows are read in the order of the list
 * until the page is full. `selection` names the columns of the attendee `a`, under the other conditions.
 */
export function pageOfAnswer(
  org: Id,
  { filter, values }: Answered,
  { key, newestFirst, after, read }: InOrder,
  selection: { columns: Sql; where: Sql },
): Sql {
  const direction = newestFirst ? sql`desc` : sql`asc`;
  const order = sql`order by k.key ${direction}, k.id ${direction}`;
  const parts = values.map(
    (value) => sql`(
      select k.key, k.id, kept.* from (
        select k.key, k.id from (
          select t.attendee_id as id, ${name(`t.${key}`)} as key from attendee_answers t
          where t.org_id = ${org} and t.filter_id = ${filter} and t.value = ${value}) k
        where ${after} ${order} offset 0) k
      cross join lateral (select ${selection.columns} from attendees a
        where a.org_id = ${org} and a.id = k.id and ${selection.where} offset 0) kept
      ${order} limit ${read})`,
  );
  return unprepared(
    parts.length === 1
      ? parts[0]!
      : sql`select distinct on (k.key, k.id) * from (${join(parts, ' union all ')}) k ${order} limit ${read}`,
  );
}

/** All conditions on the attendee of this alias, to be checked on rows that are found by something else. */
export const everyAnswer = (org: Id, answered: readonly Answered[], alias: string): Sql | false =>
  answered.length > 0 && every(answered.map((one) => hasAnswered(org, one, alias)));

/** The same for an export, which reads everybody: here PostgreSQL decides whether to begin with those who have the answer. */
export const everyAnswerIn = (org: Id, answered: readonly Answered[], alias: string): Sql =>
  unprepared(
    every(
      answered.map((one) =>
        one.filter === null
          ? hasAnswered(org, one, alias)
          : sql`${name(`${alias}.id`)} in (select v.attendee_id from attendee_answers v
              where v.org_id = ${org} and v.filter_id = ${one.filter} and v.value = any(${one.values}))`,
      ),
    ),
  );

/** What was found by `findAnswered` some time ago, as it is found now. */
export async function currentAnswered(tx: Tx, org: Id, answered: readonly Answered[]): Promise<Answered[]> {
  const rows = await tx.all<{ id: Id; code: string; filter: Id | null }>(sql`
    select q.id, q.code, f.id as filter from questions q
    left join answer_filters f on f.org_id = q.org_id and f.id = q.filter_id and f.ready
    where q.org_id = ${org} and q.id = any(${answered.map((one) => one.question)}::uuid[])`);
  const now = new Map(rows.map((row) => [row.id, row]));
  return answered.map((one) => ({
    ...one,
    code: now.get(one.question)?.code ?? one.code,
    filter: now.get(one.question)?.filter ?? null,
  }));
}
