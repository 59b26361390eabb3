import type { Question, QuestionChange, QuestionCreate, QuestionKind } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/reference.ts';
import { type Fault, requireValid } from '../../road/refusal.ts';
import { type Id, newId, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
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
}

export const questions = new Structure<QuestionRow, Question>({
  kind: 'question',
  table: 'questions',
  columns: sql`t.id, t.code, t.label, t.kind, t.required, t.options, t.attendee_type_ids,
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

async function typeIds(work: Work, event: EventRow, refs: readonly string[] | null | undefined): Promise<Id[] | null> {
  if (refs == null) return null;
  const found = await allInBody(work, attendeeTypes.reference, refs, 'attendee_types', { event });
  return [...new Set(found.map((type) => type.id))];
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
];

export async function createQuestion(work: Work, event: EventRow, body: QuestionCreate): Promise<Question> {
  const stamp = await questions.holdClock(work, event);
  requireValid(optionFaults(body.kind, body.options ?? null));
  return questions.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await questions.code(work, event, { given: body.code, name: body.label, fallback: 'question' }, null),
    label: body.label,
    kind: body.kind,
    required: body.required ?? false,
    options: body.options ?? null,
    attendee_type_ids: await typeIds(work, event, body.attendee_types),
  });
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
  requireValid(optionFaults(kind, options));
  if (body.code !== undefined)
    await questions.code(work, event, { given: body.code, name: '', fallback: '' }, before.id);
  const { attendee_types, ...columns } = body;
  return questions.update(work, event, before, stamp, {
    ...columns,
    options,
    attendee_type_ids:
      attendee_types === undefined ? before.attendee_type_ids : await typeIds(work, event, attendee_types),
  });
}

export async function deleteQuestion(work: Work, event: EventRow, found: QuestionRow): Promise<undefined> {
  await questions.holdClock(work, event);
  return questions.remove(work, event, await questions.reread(work, event, found.id));
}
