import type { ImportColumn } from '@turnout/client';
import { Button, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { useGroups } from '../../../groups/tree.ts';
import { useReasonTexts } from './reason-text.ts';
import { type RejectedRow, type RejectGroup, rejectGroups } from './reject-rows.ts';

const SHOWN = 12;
/** What the import takes for every day that a person's type is offered on. */
const ALL_DAYS = 'all';
/** Fields without which nobody can be added, so that leaving the cell empty is no way out. */
const NEEDED = ['attendee_type', 'days', 'first_name', 'last_name', 'name'];

interface GroupsProps {
  rows: readonly RejectedRow[];
  columns: readonly ImportColumn[];
  busy: boolean;
  onMend: (rows: readonly RejectedRow[], column: number, text: string) => void;
}

/** Why rows cannot be imported, each reason once, with what mends all rows that have it. */
export function RejectGroups({ rows, columns, busy, onMend }: GroupsProps) {
  const t = useWords('import');
  const { questions } = useEvent();
  const groups = rejectGroups(rows, (i) => {
    const { became, field } = columns[i]!;
    return became === 'question' && questions.find(({ code }) => code === field)?.options != null;
  });
  const [all, setAll] = useState(false);
  if (groups.length === 0) return null;
  return (
    <div className="stack" data-gap="small">
      <h3>{t('reasons')}</h3>
      <ul className="reject-groups" aria-label={t('reasons')}>
        {(all ? groups : groups.slice(0, SHOWN)).map((group) => (
          <Group key={group.id} group={group} columns={columns} busy={busy} onMend={onMend} />
        ))}
      </ul>
      {!all && groups.length > SHOWN && (
        <div className="buttons">
          <Button size="small" onClick={() => setAll(true)}>
            {t('showMoreRejects', { count: groups.length - SHOWN })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Group({ group, columns, busy, onMend }: Omit<GroupsProps, 'rows'> & { group: RejectGroup }) {
  const t = useWords('import');
  const texts = useReasonTexts(columns);
  const { column, reason, rows } = group;
  const sentence = texts.ofGroup(group);
  return (
    <li>
      <div>
        <strong>{sentence}</strong>
        <div className="soft small">{t('groupRows', { count: rows.length })}</div>
      </div>
      {column === null ? (
        <span className="soft small">{t(NO_CELL.includes(reason.code) ? 'noCell' : 'oneByOne')}</span>
      ) : (
        <Remedy
          label={`${t('mendWith')}: ${sentence}`}
          column={columns[column]!}
          count={rows.length}
          busy={busy}
          onMend={(text) => onMend(rows, column, text)}
        />
      )}
    </li>
  );
}

/** Faults that no cell mends: places or the plan are used up. */
const NO_CELL = ['event_full', 'type_full', 'day_full', 'quota_full', 'attendee_cap_reached'];

const TYPED = ' typed';

/** A choice where the event knows what is possible, else a field to type into, and the button for all rows. */
function Remedy({
  label,
  column,
  count,
  busy,
  onMend,
}: {
  label: string;
  column: ImportColumn;
  count: number;
  busy: boolean;
  onMend: (text: string) => void;
}) {
  const t = useWords('import');
  const choices = useChoices(column);
  const mayBeEmpty = !NEEDED.includes(column.field ?? '');
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const isTyping = choices === null && chosen === TYPED;
  const text = isTyping ? typed.trim() : chosen;
  return (
    <form
      className="reject-remedy"
      onSubmit={(submit) => {
        submit.preventDefault();
        if (text !== null && (text !== '' || mayBeEmpty)) onMend(text);
      }}
    >
      <select
        className="input"
        aria-label={label}
        value={chosen ?? ' none'}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value=" none" disabled>
          {t('mendWith')}
        </option>
        {choices?.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {choices === null && <option value={TYPED}>{t('typeValue')}</option>}
        {mayBeEmpty && <option value="">{t('leaveEmpty')}</option>}
      </select>
      {isTyping && (
        <input
          className="input"
          aria-label={t('typeValue')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <Button type="submit" busy={busy} disabled={text === null || (isTyping && text === '')}>
        {t('mendRows', { count })}
      </Button>
    </form>
  );
}

/** What can stand in a column; null if it takes any text. */
function useChoices({ became, field }: ImportColumn): { value: string; name: string }[] | null {
  const t = useWords('import');
  const { types, days, questions } = useEvent();
  const { data: groups = [] } = useGroups();
  const coded = (all: readonly { code: string; name: string }[]) =>
    all.map(({ code, name }) => ({ value: code, name }));
  if (became === 'field') {
    if (field === 'attendee_type') return coded(types);
    if (field === 'group') return coded(groups);
    if (field === 'days') return [{ value: ALL_DAYS, name: t('allDays') }, ...coded(days)];
    return null;
  }
  const question = became === 'question' ? questions.find(({ code }) => code === field) : undefined;
  return question?.options?.map((option) => ({ value: option, name: option })) ?? null;
}
