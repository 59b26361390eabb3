import { Form, Submit, TextField, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { JobProgress, watchJob } from '../../../../parts/job.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { CountField } from '../../form/count-field.tsx';
import { CodePage } from './code-page.tsx';
import { DiscountFields } from './discount-fields.tsx';
import { type DiscountValues, emptyDiscount, sentBatch } from './discount-values.ts';
import { PricesWith } from './prices-with.tsx';

type BatchValues = DiscountValues & { count: number | null; prefix: string };
/** The most codes that one job makes. */
const MAX_BATCH = 10_000;

/** Many codes of the same kind at once, such as one for each member of a club; the file has each with its link. */
export default function ManyCodes() {
  const t = useWords('selling');
  const { base } = useEvent();
  const { values: filters, set } = useFilters();
  const refresh = useRefresh();
  // Each of them is for one person, unless somebody wants something else.
  const [began] = useState<BatchValues>(() => ({ ...emptyDiscount(), max_people: 1, count: null, prefix: '' }));
  const { job } = filters;
  return (
    <CodePage title={t('manyCodes')} lead={t('manyCodesLead')}>
      {job !== undefined && (
        <JobProgress key={job} job={job} title={t('codesFile')} onOver={() => void refresh('listDiscounts')} />
      )}
      <Form
        values={began}
        reset
        submit={(values, { key }) => call('createDiscountBatch', { ...base, body: sentBatch(values) }, { key })}
        done={({ id }) => {
          watchJob({
            ...{ org: base.org, job: id, title: t('codesFile') },
            href: `/app/${base.org}/events/${base.event}/tickets/codes/batch?job=${id}`,
          });
          set({ job: id });
        }}
      >
        {(parts) => (
          <div className="code-split">
            <div className="code-edit">
              <div className="columns">
                <CountField label={t('howMany')} required min={1} max={MAX_BATCH} {...parts.field('count')} />
                <TextField
                  label={t('prefix')}
                  hint={t('prefixHint')}
                  required={false}
                  maxLength={20}
                  pattern="[A-Za-z0-9\-]*"
                  placeholder="PRESS-"
                  autoComplete="off"
                  spellCheck={false}
                  {...parts.field('prefix')}
                />
              </div>
              <DiscountFields parts={parts} maxPeopleHint={t('maxPeopleHint')} />
              <div className="buttons">
                <Submit>{t('createCodes')}</Submit>
              </div>
            </div>
            <PricesWith values={parts.values} />
          </div>
        )}
      </Form>
    </CodePage>
  );
}
