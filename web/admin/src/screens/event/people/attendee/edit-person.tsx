import { type Attendee, Problem } from '@turnout/client';
import { Button, Form, type FormParts, Submit, toast, useWords } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { emptyPerson, type PersonValues, personChange, personValues } from '../../../../parts/fields.tsx';
import { lateEntry } from '../../../../parts/late-entry.ts';
import { type CallVersion, overNewest } from '../../../../parts/over-newest.ts';
import { PersonFields, personOf } from '../../../../parts/person-fields.tsx';
import { CHANGED } from '../changed.ts';
import { useFieldWords } from '../field-words.ts';
import { type FieldChange, type FlatValues, flatten, meanwhileOf, replaced } from './meanwhile.ts';
import { MeanwhileNotice } from './meanwhile-notice.tsx';

/**
 * Changes a person. Only what was changed here is sent. Before that, the person is asked for again: if somebody else changed them
 * meanwhile, nothing is saved until whoever sits here has seen what, beside what they typed.
 */
export function EditPerson({ attendee, onDone }: { attendee: Attendee; onDone: () => void }) {
  const t = useWords('people');
  const { base, questions, days, types } = useEvent();
  const refresh = useRefresh();
  const words = useFieldWords();
  const [began] = useState(() => personValues(attendee));
  const known = useRef(attendee);
  const form = useRef<FormParts<PersonValues> | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const [meanwhile, setMeanwhile] = useState<readonly FieldChange[]>([]);
  const put = (values: PersonValues, change: FlatValues) => form.current?.set(replaced(values, change, emptyPerson()));
  const at = { ...base, attendee: attendee.id };
  const save = (person: PersonValues) => overNewest(() => call('getAttendee', at), saveOver(person));
  const saveOver = (person: PersonValues) => async (present: Attendee, options: CallVersion) => {
    const found = changedMeanwhile(known.current, present, person);
    known.current = present;
    setMeanwhile(found);
    if (found.length > 0) {
      put(person, Object.fromEntries(found.filter((one) => !('yours' in one)).map((one) => [one.name, one.theirs])));
      throw new Problem({ operation: 'changeAttendee', status: 409, code: 'stale', message: t('notSavedYet') });
    }
    const body = personChange(personValues(present), person, questions);
    if (body === null) return null;
    const isMoved = body.days !== undefined || body.attendee_type !== undefined;
    const whole = { ...body, ...(isMoved && lateEntry([person], { days, types })) };
    return call('changeAttendee', { ...at, body: whole }, options);
  };
  const take = ({ name, before, theirs }: FieldChange) => {
    if (form.current !== null) put(form.current.values, { [name]: theirs });
    setMeanwhile((all) => all.map((one) => (one.name === name ? { name, before, theirs } : one)));
  };
  return (
    <Form
      values={began}
      submit={save}
      done={(saved) => {
        if (saved !== null) toast(t('personSaved'), 'good');
        void refresh(...CHANGED);
        onDone();
      }}
    >
      {(parts) => {
        form.current = parts;
        return (
          <>
            <div className="form" ref={box}>
              <PersonFields {...personOf(parts)} lenient />
            </div>
            <MeanwhileNotice changes={meanwhile} labelOf={words.label} textOf={words.text} onTake={take} />
            <div className="buttons">
              <Submit />
              <Button kind="quiet" onClick={onDone}>
                {t('discard')}
              </Button>
            </div>
          </>
        );
      }}
    </Form>
  );
}

function changedMeanwhile(known: Attendee, present: Attendee, mine: PersonValues): FieldChange[] {
  if (present.updated_at === known.updated_at) return [];
  const flat = (one: Attendee) => flatten(personValues(one));
  return meanwhileOf(flat(known), flat(present), flatten(mine));
}
