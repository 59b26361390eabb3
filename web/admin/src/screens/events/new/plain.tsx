import { Checkbox, ComboBox, Form, type FormParts, Radios, Submit, TextField, toast, useWords } from '@turnout/ui';
import { useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { DateField, GroupField, TimeField } from '../../../parts/fields.tsx';
import '../../../parts/fold.css';
import { viewerZone } from '../../../parts/zoned.ts';
import { addDays, isOvernight, MAX_DAYS } from '../../event/tickets/day-values.ts';
import { atCode } from '../at-code.ts';
import { useOptions } from '../options.ts';
import { useOpenEvent } from '../use-open-event.ts';
import { createWholeEvent } from './create-event.ts';
import { daysOf, type PlainValues } from './plain-values.ts';

type Parts = FormParts<PlainValues>;

/** A new event: what it is called, when, where, and whether people pay. Everything else may come later. */
export function NewPlainEvent() {
  const t = useWords('events');
  const { org, organization, member } = useOrganization();
  const refresh = useRefresh();
  const open = useOpenEvent('/$org/events/$event');
  const values: PlainValues = {
    ...{ name: '', first_day: '', last_day: '', opens: '', closes: '', where: 'place', venue: '' },
    ...{ price: 'free', currency: organization.currency, timezone: viewerZone(), code: '', test: false },
    group: member.group ?? '',
  };
  return (
    <Form
      values={values}
      submit={(typed, { key }) =>
        atCode(createWholeEvent(org, typed, { key, online: t('where.online'), type: t('freeType') }), t('codeTaken'))
      }
      done={({ event, complete }) => {
        const { name } = event;
        if (complete) toast(t('created', { name }), 'good');
        else toast(t('createdPart', { name }), 'warn');
        open(event.code);
        void refresh('listEvents', 'getOverview');
      }}
    >
      {(parts) => (
        <>
          <TextField label={t('name')} maxLength={200} autoFocus {...parts.field('name')} />
          <When parts={parts} />
          <Where parts={parts} />
          <Price parts={parts} />
          <MoreOptions parts={parts} />
          <div className="buttons">
            <Submit>{t('create')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}

function When({ parts: { field, values } }: { parts: Parts }) {
  const t = useWords('events');
  const { first_day, opens, closes, timezone } = values;
  const limits = first_day === '' ? {} : { min: first_day, max: addDays(first_day, MAX_DAYS - 1) };
  const days = daysOf(values).length;
  return (
    <>
      <div className="columns">
        <DateField label={t('firstDay')} {...field('first_day')} />
        <DateField
          label={t('lastDay')}
          required={false}
          hint={days > 1 ? t('countDays', { count: days }) : t('lastDayHint')}
          {...limits}
          {...field('last_day')}
        />
      </div>
      <div className="columns">
        <TimeField
          label={t('opensAt')}
          required={false}
          hint={t('hoursHint', { zone: timezone.replaceAll('_', ' ') })}
          {...field('opens')}
        />
        <TimeField
          label={t('closesAt')}
          required={false}
          {...(isOvernight(opens, closes) && { hint: t('closesNext') })}
          {...field('closes')}
        />
      </div>
    </>
  );
}

const WHERE = ['place', 'online'] as const;
const PRICES = ['free', 'paid'] as const;

function Where({ parts: { field, values } }: { parts: Parts }) {
  const t = useWords('events');
  return (
    <div className="events-choice">
      <Radios
        label={t('where')}
        options={WHERE.map((value) => ({ value, label: t(`where.${value}`) }))}
        {...field('where')}
      />
      {values.where === 'place' && (
        <TextField label={t('venue')} required={false} maxLength={500} {...field('venue')} />
      )}
    </div>
  );
}

function Price({ parts: { field, values } }: { parts: Parts }) {
  const t = useWords('events');
  const { organization } = useOrganization();
  const { currencies } = useOptions({ currency: organization.currency });
  const isDefault = ({ value }: { value: string }) => value === organization.currency;
  return (
    <div className="events-choice">
      <Radios
        label={t('price')}
        options={PRICES.map((value) => ({ value, label: t(`price.${value}`) }))}
        {...field('price')}
      />
      {values.price === 'paid' && (
        <ComboBox
          label={t('currency')}
          hint={t('pricesNext')}
          options={[
            ...currencies
              .filter(isDefault)
              .map((one) => ({ ...one, label: t('currencyDefault', { code: one.value }) })),
            ...currencies.filter((one) => !isDefault(one)),
          ]}
          {...field('currency')}
        />
      )}
    </div>
  );
}

const FOLDED = ['timezone', 'group', 'code', 'test'] as const;

function MoreOptions({ parts: { field } }: { parts: Parts }) {
  const t = useWords('events');
  const { zones } = useOptions({ timezone: viewerZone() });
  // A fault must be seen, also one inside of what was closed.
  const isWrong = FOLDED.some((name) => field(name).fault !== undefined);
  return (
    <details className="fold" {...(isWrong && { open: true })}>
      <summary>{t('moreFields')}</summary>
      <div className="form events-more">
        <ComboBox label={t('timezone')} options={zones} {...field('timezone')} />
        <TextField
          label={t('code')}
          hint={t('codeNewHint')}
          required={false}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          {...field('code')}
        />
        <GroupField {...field('group')} />
        <Checkbox label={t('asTest')} hint={t('asTestHint')} {...field('test')} />
      </div>
    </details>
  );
}
