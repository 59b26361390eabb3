import { Checkboxes, type FormParts, Radios, TextArea, TextField, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { DateTimeField, GroupField, MoneyField } from '../../../../parts/fields.tsx';
import { CountField } from '../../form/count-field.tsx';
import '../../../../parts/fold.css';
import { type DiscountValues, KINDS, MAX_PEOPLE, MAX_USES } from './discount-values.ts';

/** Of a form that may have more than a discount. */
type DiscountParts = Pick<FormParts<DiscountValues>, 'field' | 'values' | 'set'>;

const LIMITS = ['max_people', 'max_people_per_registration', 'min_people', 'opens_at', 'closes_at'] as const;
const MORE = ['reveals', 'group', 'note'] as const;

/** What a code gives, for what and how often: the same for one code and for many. */
export function DiscountFields({ parts, maxPeopleHint }: { parts: DiscountParts; maxPeopleHint?: string }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { event } = useEvent();
  const { field, values, set } = parts;
  return (
    <>
      <TextField label={form('name')} maxLength={200} placeholder={t('codeExample')} {...field('name')} />
      <Radios
        label={t('kind')}
        options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        {...field('kind')}
        // A percentage is no amount.
        onChange={(kind) => set(kind === 'percent' || values.kind === 'percent' ? { kind, value: null } : { kind })}
      />
      {values.kind === 'percent' ? (
        <CountField key="percent" label={t('percent')} required min={1} max={100} {...field('value')} />
      ) : (
        <MoneyField
          key="money"
          label={t(values.kind === 'amount' ? 'amountOff' : 'fixedPrice')}
          currency={event.currency}
          {...field('value')}
        />
      )}
      <Covered parts={parts} />
      <Limits parts={parts} maxPeopleHint={maxPeopleHint} />
      <More parts={parts} />
    </>
  );
}

/** What becomes cheaper. */
function Covered({ parts: { field, values } }: { parts: DiscountParts }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { types, products } = useEvent();
  return (
    <>
      <Radios
        label={t('cheaperTickets')}
        options={[
          { value: 'all', label: t('allTypes') },
          { value: 'some', label: form('askedSome') },
          { value: 'none', label: t('noTickets') },
        ]}
        {...field('tickets')}
      />
      {values.tickets === 'some' && (
        <div className="indented">
          <Checkboxes
            label={form('whichTypes')}
            options={types.map(({ code, name }) => ({ value: code, label: name }))}
            {...field('attendee_types')}
          />
        </div>
      )}
      {products.length > 0 && (
        <Radios
          label={t('cheaperProducts')}
          options={[
            { value: 'none', label: t('noGoods') },
            { value: 'all', label: t('allGoods') },
            { value: 'some', label: t('someGoods') },
          ]}
          {...field('goods')}
        />
      )}
      {values.goods === 'some' && (
        <div className="indented">
          <Checkboxes
            label={t('whichProducts')}
            options={products.map(({ code, name }) => ({ value: code, label: name }))}
            {...field('products')}
          />
        </div>
      )}
    </>
  );
}

/** How often and when it can be used. Folded until something of it is set. */
function Limits({
  parts: { field, values },
  maxPeopleHint,
}: {
  parts: DiscountParts;
  maxPeopleHint: string | undefined;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const { event } = useEvent();
  const [opened, setOpened] = useState(() => LIMITS.some((name) => values[name] !== null));
  const isWrong = LIMITS.some((name) => field(name).fault !== undefined);
  return (
    <details className="fold" open={opened || isWrong} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('codeLimits')}</summary>
      <div className="stack">
        <div className="columns">
          <CountField
            label={t('maxPeople')}
            hint={maxPeopleHint ?? form('capacityHint')}
            min={1}
            max={MAX_USES}
            {...field('max_people')}
          />
          <CountField
            label={t('maxPeopleEach')}
            hint={form('capacityHint')}
            min={1}
            max={MAX_PEOPLE}
            {...field('max_people_per_registration')}
          />
        </div>
        <CountField
          label={t('minPeople')}
          hint={t('minPeopleHint')}
          min={1}
          max={MAX_PEOPLE}
          {...field('min_people')}
        />
        <div className="columns">
          <DateTimeField label={t('opensAt')} zone={event.timezone} required={false} {...field('opens_at')} />
          <DateTimeField label={t('closesAt')} zone={event.timezone} required={false} {...field('closes_at')} />
        </div>
      </div>
    </details>
  );
}

/** What few codes need: hidden types, a group, a note. Folded until something of it is set. */
function More({ parts: { field, values } }: { parts: DiscountParts }) {
  const t = useWords('selling');
  const { types } = useEvent();
  const [opened, setOpened] = useState(() => values.reveals.length > 0 || values.group !== '' || values.note !== '');
  const isWrong = MORE.some((name) => field(name).fault !== undefined);
  const hidden = types.filter(({ code, visible }) => !visible || values.reveals.includes(code));
  return (
    <details className="fold" open={opened || isWrong} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('codeMore')}</summary>
      <div className="stack">
        {hidden.length > 0 && (
          <Checkboxes
            label={t('reveals')}
            hint={t('revealsHint')}
            options={hidden.map(({ code, name }) => ({ value: code, label: name }))}
            {...field('reveals')}
          />
        )}
        <GroupField hint={t('groupHint')} {...field('group')} />
        <TextArea label={t('note')} hint={t('noteHint')} maxLength={2000} required={false} {...field('note')} />
      </div>
    </details>
  );
}
