import type { EventCreate } from '@turnout/client';
import { Checkbox, ComboBox, Form, Submit, TextField, toast, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { GroupField } from '../../../parts/fields.tsx';
import '../../../parts/fold.css';
import { atCode } from '../at-code.ts';
import { useOptions } from '../options.ts';
import { useOpenEvent } from '../use-open-event.ts';

interface Values {
  name: string;
  venue: string;
  timezone: string;
  currency: string;
  code: string;
  group: string;
  test: boolean;
}

const HIDDEN = ['timezone', 'currency', 'group', 'code', 'test'] as const;

/** What was left empty is not sent: the organization's own settings hold then. */
const bodyOf = ({ name, venue, timezone, currency, code, group, test }: Values): EventCreate => ({
  name: name.trim(),
  timezone,
  ...(venue.trim() !== '' && { venue: venue.trim() }),
  ...(currency !== '' && { currency }),
  ...(code.trim() !== '' && { code: code.trim() }),
  ...(group !== '' && { group }),
  ...(test && { test }),
});

/** An event of which only the name is known. Everything else may come later. */
export function NewEmptyEvent() {
  const t = useWords('events');
  const { org, organization, member } = useOrganization();
  const refresh = useRefresh();
  const open = useOpenEvent('/$org/events/$event');
  const { zones, currencies } = useOptions({ timezone: organization.timezone });
  const values: Values = {
    ...{ name: '', venue: '', timezone: organization.timezone, currency: '', code: '', test: false },
    group: member.group ?? '',
  };
  return (
    <Form
      values={values}
      submit={(typed, { key }) => atCode(call('createEvent', { org, body: bodyOf(typed) }, { key }), t('codeTaken'))}
      done={(event) => {
        toast(t('created', { name: event.name }), 'good');
        open(event.code);
        void refresh('listEvents', 'getOverview');
      }}
    >
      {({ field }) => (
        <>
          <TextField label={t('name')} hint={t('nameHint')} maxLength={200} autoFocus {...field('name')} />
          <TextField label={t('venue')} required={false} maxLength={500} {...field('venue')} />
          {/* A fault must be seen, also one inside of what was closed. */}
          <details className="fold" {...(HIDDEN.some((name) => field(name).fault !== undefined) && { open: true })}>
            <summary>{t('moreFields')}</summary>
            <div className="form events-more">
              <div className="columns">
                <ComboBox label={t('timezone')} options={zones} {...field('timezone')} />
                <ComboBox
                  label={t('currency')}
                  placeholder={t('currencyDefault')}
                  required={false}
                  options={currencies}
                  {...field('currency')}
                />
              </div>
              <div className="columns">
                <GroupField {...field('group')} />
                <TextField
                  label={t('code')}
                  hint={t('codeNewHint')}
                  required={false}
                  maxLength={63}
                  autoCapitalize="none"
                  spellCheck={false}
                  {...field('code')}
                />
              </div>
              <Checkbox label={t('asTest')} hint={t('asTestHint')} {...field('test')} />
            </div>
          </details>
          <div className="buttons">
            <Submit>{t('create')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}
