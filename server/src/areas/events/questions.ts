import {
  FILTERABLE_KINDS,
  MAX_FILTERABLE_QUESTIONS,
  type Question,
  type QuestionChange,
  type QuestionCreate,
  type QuestionKind,
} from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, refuse, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { endFilter, fillNext, startFilter } from './answer-filters.ts';
import { attendeeTypes } from './attendee-types.ts';
import type { EventRow } from './queries.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';

export interface QuestionRow extends PartRow {
  label: string;
  kind: QuestionKind;
  required: boolean;
  options: string[] | null;
  attendee_type_ids: Id[] | null;
  attendee_type_codes: string[] | null;
  /** The filter by the question's answers (answer-filters.ts). Null: the question is not filterable. */
  filter_id: Id | null;
}

export const questions = new Structure<QuestionRow, Question>({
  kind: 'question',
  table: 'questions',
  columns: sql`t.id, t.code, t.label, t.kind, t.required, t.options, t.attendee_type_ids, t.filter_id,
    case when t.attendee_type_ids is not null then array(
      select a.code from attendee_types a where a.org_id = t.org_id and a.id = any(t.attendee_type_ids) order by a.code)
      end as attendee_type_codes,
    t.created_at, t.updated_at`,
  shape: (row) => ({
    id: toUlid(row.id),
    code: row.code,
    label: row.label,
    kind: row.kind,
    required: row.required,
    options: row.options,
    attendee_types: row.attendee_type_codes,
    filterable: row.filter_id !== null,
    ...stamps(row),
  }),
});

const takesOptions = (kind: QuestionKind): boolean => kind === 'choice' || kind === 'choices';

export function optionFaults(kind: QuestionKind, options: readonly string[] | null): Fault[] {
  if (takesOptions(kind) === (options !== null)) return [];
  const message = takesOptions(kind)
    ? `must be given for a question of kind ${kind}`
    : `must be left out for a question of kind ${kind}`;
  return [{ path: 'options', message }];
}

/** What is wrong with `filterable`, as far as the question itself tells. */
export const filterableFaults = (kind: QuestionKind, filterable: boolean | undefined): Fault[] =>
  filterable !== true || FILTERABLE_KINDS.includes(kind)
    ? []
    : [{ path: 'filterable', message: `can only be true for a question of kind ${FILTERABLE_KINDS.join(', ')}` }];

/** The questions of a template that are filterable although enough before them are. */
export function tooManyFilterable(all: readonly ({ filterable?: boolean } | undefined)[]): Fault[] {
  const filterable = [...all.entries()].filter(([, question]) => question?.filterable === true);
  const message = `an event can have at most ${MAX_FILTERABLE_QUESTIONS} filterable questions`;
  return filterable.slice(MAX_FILTERABLE_QUESTIONS).map(([i]) => ({ path: `${i}/filterable`, message }));
}

async function typeIds(work: Work, event: EventRow, refs: readonly string[] | null | undefined): Promise<Id[] | null> {
  if (refs == null) return null;
  const found = await allInBody(work, attendeeTypes.reference, refs, 'attendee_types', { event });
  return found.map((type) => type.id);
}

export const questionRules: PartRule<QuestionRow, QuestionCreate | QuestionChange>[] = [
  {
    of: ['kind', 'options'],
    faults: (_event, before, body) => {
      const kind = body.kind ?? before?.kind;
      if (kind === undefined) return [];
      const kept = takesOptions(kind) ? (before?.options ?? null) : null;
      return optionFaults(kind, body.options === undefined ? kept : (body.options as string[] | null));
    },
  },
  {
    of: ['kind', 'filterable'],
    faults: (_event, before, body) => {
      const kind = body.kind ?? before?.kind;
      return kind === undefined ? [] : filterableFaults(kind, body.filterable);
    },
  },
];

/** Begins the filter of a question. The event's clock is held, so nobody makes another question filterable at the same time. */
async function beginFilter({ tx, org }: Work, event: EventRow): Promise<Id> {
  const { filters } = await tx.one<{ filters: number }>(sql`
    select count(*)::int as filters from questions where org_id = ${org} and event_id = ${event.id} and filter_id is not null`);
  if (filters >= MAX_FILTERABLE_QUESTIONS) {
    refuse('invalid_state', {
      message: `An event can have at most ${MAX_FILTERABLE_QUESTIONS} filterable questions. Make another question not filterable first.`,
    });
  }
  return startFilter(tx, org, event.id);
}

export async function createQuestion(work: Work, event: EventRow, body: QuestionCreate): Promise<Question> {
  const stamp = await questions.holdClock(work, event);
  requireValid([...optionFaults(body.kind, body.options ?? null), ...filterableFaults(body.kind, body.filterable)]);
  const filter_id = body.filterable === true ? await beginFilter(work, event) : null;
  const question = await questions.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await questions.code(work, event, { code: body.code, name: body.label, fallback: 'question' }, null),
    label: body.label,
    kind: body.kind,
    required: body.required ?? false,
    options: body.options ?? null,
    attendee_type_ids: await typeIds(work, event, body.attendee_types),
    filter_id,
  });
  // Attendees may have answers under this code already, from an import or from a question that was deleted.
  if (filter_id !== null) await fillNext(work.tx, work.org, filter_id);
  return question;
}

export async function changeQuestion(
  work: Work,
  event: EventRow,
  found: QuestionRow,
  body: QuestionChange,
): Promise<Question> {
  const stamp = await questions.holdClock(work, event);
  const before = await questions.reread(work, event, found.id);
  const kind = body.kind ?? before.kind;
  // A change to a kind without options drops the question's options, unless the body sends options: then it is refused.
  const kept = takesOptions(kind) ? before.options : null;
  const options = body.options === undefined ? kept : body.options;
  requireValid([...optionFaults(kind, options), ...filterableFaults(kind, body.filterable)]);
  if (body.code !== undefined)
    await questions.code(work, event, { code: body.code, name: '', fallback: '' }, before.id);
  const filter_id = await changeFilter(work, event, before, body);
  const { attendee_types, filterable: _, ...columns } = body;
  const question = await questions.update(work, event, before, stamp, {
    ...columns,
    options,
    attendee_type_ids:
      attendee_types === undefined ? before.attendee_type_ids : await typeIds(work, event, attendee_types),
    filter_id,
  });
  if (filter_id !== null && filter_id !== before.filter_id) await fillNext(work.tx, work.org, filter_id);
  return question;
}

/** The filter of the question after a change. A change to a kind that cannot be filtered by ends it, as `filterable: false` does. */
async function changeFilter(
  work: Work,
  event: EventRow,
  before: QuestionRow,
  { kind = before.kind, code = before.code, filterable = before.filter_id !== null }: QuestionChange,
): Promise<Id | null> {
  const wanted = filterable && FILTERABLE_KINDS.includes(kind);
  // Answers are stored under the code, so under another code the question has other answers.
  const keeps = wanted && before.filter_id !== null && code.toLowerCase() === before.code.toLowerCase();
  if (keeps) return before.filter_id;
  if (before.filter_id !== null) await endFilter(work.tx, work.org, before.filter_id);
  if (!wanted) return null;
  return before.filter_id === null ? beginFilter(work, event) : startFilter(work.tx, work.org, event.id);
}

export async function deleteQuestion(work: Work, event: EventRow, found: QuestionRow): Promise<undefined> {
  const stamp = await questions.holdClock(work, event);
  const question = await questions.reread(work, event, found.id);
  if (question.filter_id !== null) await endFilter(work.tx, work.org, question.filter_id);
  return questions.remove(work, event, question, stamp);
}
