import type { Event, EventChange } from '@turnout/client';
import { Checkbox, Checkboxes, Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { ChangeForm } from './change-form.tsx';

interface Values {
  name_search: boolean;
  kiosk: boolean;
  questions: string[];
}
/** The server takes no more. */
const MAX_QUESTIONS = 3;
const valuesOf = ({ door }: Event): Values => ({
  name_search: door.name_search,
  kiosk: door.kiosk,
  questions: [...door.questions],
});
const bodyOf = (change: Partial<Values>): EventChange => ({ door: change });

/** What scanners may do besides reading codes. */
export function DoorRules() {
  const t = useWords('events');
  const { questions } = useEvent();
  const names = { name_search: t('nameSearch'), kiosk: t('kiosk'), questions: t('doorQuestions') };
  return (
    <Section title={t('door')} lead={t('doorLead')}>
      <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names}>
        {({ field, values }) => (
          <>
            <Checkbox label={names.name_search} hint={t('nameSearchHint')} {...field('name_search')} />
            {questions.length > 0 && (
              <Checkboxes
                label={names.questions}
                hint={t('doorQuestionsHint', { most: MAX_QUESTIONS })}
                options={questions.map(({ code, label }) => ({
                  value: code,
                  label,
                  disabled: values.questions.length >= MAX_QUESTIONS && !values.questions.includes(code),
                }))}
                {...field('questions')}
              />
            )}
            <Checkbox label={names.kiosk} hint={t('kioskHint')} {...field('kiosk')} />
          </>
        )}
      </ChangeForm>
    </Section>
  );
}
