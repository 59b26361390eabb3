import type { Event, EventChange } from '@turnout/client';
import { Checkbox, Section, useWords } from '@turnout/ui';
import { ChangeForm } from './change-form.tsx';

interface Values {
  name_search: boolean;
  kiosk: boolean;
}
const valuesOf = ({ door }: Event): Values => ({ name_search: door.name_search, kiosk: door.kiosk });
const bodyOf = (change: Partial<Values>): EventChange => ({ door: change });

/** What scanners may do besides reading codes. */
export function DoorRules() {
  const t = useWords('events');
  const names = { name_search: t('nameSearch'), kiosk: t('kiosk') };
  return (
    <Section title={t('door')} lead={t('doorLead')}>
      <ChangeForm of={valuesOf} body={bodyOf} names={names}>
        {({ field }) => (
          <>
            <Checkbox label={names.name_search} hint={t('nameSearchHint')} {...field('name_search')} />
            <Checkbox label={names.kiosk} hint={t('kioskHint')} {...field('kiosk')} />
          </>
        )}
      </ChangeForm>
    </Section>
  );
}
