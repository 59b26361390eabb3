import type { AttendeeType, Day, Product, Question } from '@turnout/client';
import { Select, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { Phone } from './phone.tsx';
import './preview.css';

/** What the preview is drawn from: what is saved, with what is being typed. Left out: as it is saved. */
export interface PreviewParts {
  days?: readonly Day[];
  types?: readonly AttendeeType[];
  questions?: readonly Question[];
  products?: readonly Product[];
  /** The id of the question or product that is being edited. */
  current?: string | null;
  /** Whether something of it is not saved yet. */
  unsaved: boolean;
}

/** The form as the phone of a registrant of one type shows it. Fields can be tried; nothing is sent. */
export function Preview({ unsaved, ...parts }: PreviewParts) {
  const t = useWords('form');
  const saved = useEvent();
  const { values, set } = useFilters();
  const types = parts.types ?? saved.types;
  const chosen = types.find(({ code }) => code === values.as);
  const type = chosen ?? types.find(({ visible }) => visible) ?? types[0];
  return (
    <div className="preview">
      {types.length > 1 && type !== undefined && (
        <Select
          label={t('previewAs')}
          value={type.code}
          onChange={(as) => set({ as }, { quietly: true })}
          options={types.map(({ code, name, visible }) => ({
            value: code,
            label: visible ? name || t('newType') : t('hiddenType', { name: name || t('newType') }),
          }))}
        />
      )}
      <Phone
        type={type}
        days={parts.days ?? saved.days}
        questions={parts.questions ?? saved.questions}
        products={parts.products ?? saved.products}
        current={parts.current ?? null}
      />
      <p className="soft small" role="status">
        {t(unsaved ? 'previewUnsaved' : 'previewSaved')}
      </p>
    </div>
  );
}
