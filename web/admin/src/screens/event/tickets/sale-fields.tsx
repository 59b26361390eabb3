import { MAX_PRICES } from '@turnout/contract/prices';
import { Button, type FormParts, TextArea, TextField, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField, MoneyField } from '../../../parts/fields.tsx';
import { CountField } from '../form/count-field.tsx';
import { emptyPhase, hasSale, type Phase, type TypeValues } from '../form/type-values.ts';

const FIELDS = ['description', 'sale_from', 'sale_until', 'min_per_registration', 'max_per_registration'] as const;

/** What only some types need: a text, prices that change, when it is sold, and how many of it. Folded until something of it is set. */
export function SaleFields({ parts }: { parts: FormParts<TypeValues> }) {
  const t = useWords('form');
  const { event } = useEvent();
  const { field, values, set, faultsIn } = parts;
  const faults = faultsIn('prices');
  const [opened, setOpened] = useState(() => hasSale(values));
  // A fault that is folded away could not be found.
  const isWrong = Object.keys(faults).length > 0 || FIELDS.some((name) => field(name).fault !== undefined);
  const change = (i: number, next: Partial<Phase>) =>
    set({ phases: values.phases.map((phase, at) => (at === i ? { ...phase, ...next } : phase)) });
  return (
    <details className="fold" open={opened || isWrong} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('sale')}</summary>
      <div className="stack">
        <TextArea
          label={t('typeText')}
          hint={t('typeTextHint')}
          maxLength={2000}
          required={false}
          {...field('description')}
        />
        <fieldset className="stack" data-gap="small">
          <legend>{t('phases')}</legend>
          <p className="soft small">{t('phasesHint')}</p>
          {values.phases.map((phase, i) => {
            const row = (name: keyof Phase) => ({ name: `prices/${i}/${name}`, fault: faults[`${i}/${name}`] });
            return (
              <div className="indented stack" data-gap="small" key={phase.id}>
                <div className="columns">
                  <TextField
                    label={t('phaseName')}
                    placeholder={t('phaseExample')}
                    maxLength={100}
                    {...row('name')}
                    value={phase.name}
                    onChange={(name) => change(i, { name })}
                  />
                  <MoneyField
                    label={t('price')}
                    currency={event.currency}
                    {...row('price_minor')}
                    value={phase.price_minor}
                    onChange={(price_minor) => change(i, { price_minor })}
                  />
                </div>
                <div className="columns">
                  <DateTimeField
                    label={t('phaseFrom')}
                    zone={event.timezone}
                    required={false}
                    {...row('from')}
                    value={phase.from}
                    onChange={(from) => change(i, { from })}
                  />
                  <DateTimeField
                    label={t('phaseUntil')}
                    zone={event.timezone}
                    required={false}
                    {...row('until')}
                    value={phase.until}
                    onChange={(until) => change(i, { until })}
                  />
                </div>
                <div>
                  <Button
                    kind="quiet"
                    size="small"
                    onClick={() => set({ phases: values.phases.filter(({ id }) => id !== phase.id) })}
                  >
                    {t('removePhase', { number: i + 1 })}
                  </Button>
                </div>
              </div>
            );
          })}
          {values.phases.length < MAX_PRICES && (
            <div>
              <Button size="small" onClick={() => set({ phases: [...values.phases, emptyPhase()] })}>
                {t('addPhase')}
              </Button>
            </div>
          )}
        </fieldset>
        <div className="columns">
          <DateTimeField label={t('saleFrom')} zone={event.timezone} required={false} {...field('sale_from')} />
          <DateTimeField label={t('saleUntil')} zone={event.timezone} required={false} {...field('sale_until')} />
        </div>
        <div className="columns">
          <CountField label={t('leastOfType')} min={1} max={200} {...field('min_per_registration')} />
          <CountField
            label={t('mostOfType')}
            hint={t('mostOfTypeHint')}
            min={1}
            max={200}
            {...field('max_per_registration')}
          />
        </div>
      </div>
    </details>
  );
}
