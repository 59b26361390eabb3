import { MAX_RATE, USUAL_RATE } from '@turnout/contract/access';
import { type FieldProps, useFormats, useWords } from '@turnout/ui';
import { useOrganization } from '../../../frame/organization.tsx';
import { NumberField } from '../../../parts/number-field.tsx';

/** The requests per minute of a key, with what the plan allows beside it. */
export function RateField(field: Omit<FieldProps<string>, 'label'>) {
  const t = useWords('developers');
  const formats = useFormats();
  const { api_rate_per_min: limit } = useOrganization().plan.limits;
  const usual = formats.number(USUAL_RATE);
  return (
    <NumberField
      label={t('perMinute')}
      hint={
        limit === null
          ? t('perMinuteHintNoLimit', { usual })
          : t('perMinuteHint', { limit: formats.number(limit), usual })
      }
      required={false}
      min={1}
      max={MAX_RATE}
      {...field}
    />
  );
}
