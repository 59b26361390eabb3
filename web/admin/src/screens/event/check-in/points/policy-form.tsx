import type { CheckInPoint, Policy } from '@turnout/client';
import {
  Checkboxes,
  ComboBox,
  Form,
  type FormParts,
  Radios,
  Select,
  Submit,
  TextField,
  toast,
  useWords,
} from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useClash } from '../../../../parts/clash.ts';
import { DaysField } from '../../../../parts/fields.tsx';
import { Chip } from '../../../../parts/filters.tsx';
import { overNewest } from '../../../../parts/over-newest.ts';
import { flat, treeOf, useGroups } from '../../../groups/tree.ts';
import { type PolicyValues, policyChange, policyOf, policyValues } from './policy-values.ts';

const LIMITS = ['once_per_day', 'once', 'once_until_exit', 'unlimited'] as const;
const PLACES = Object.fromEntries(
  (['attendee_types', 'groups', 'products', 'days', 'limit', 'requires', 'capacity', 'leaves'] as const).map((name) => [
    `policy/${name}`,
    name,
  ]),
) as Record<string, keyof PolicyValues>;

const ruleOf = ({ name, policy }: CheckInPoint) => ({ name, ...policy });

/** The rules of a point. `onDraft` gets the point as it would be if it were saved now. */
export function PolicyForm({ point, onDraft }: { point: CheckInPoint; onDraft: (point: CheckInPoint) => void }) {
  const t = useWords('door');
  const { base } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeCheckInPoint', {
    textOf: (name, value) => (name === 'limit' ? t(`choose.${value as Policy['limit']}`) : undefined),
  });
  // What the typed values are based on: the point as it is now, unless somebody is typing. What others save meanwhile would look as
  // if it had been changed back here.
  const changed = useRef(false);
  const [basis, setBasis] = useState(point);
  if (basis !== point && !changed.current) setBasis(point);
  const save = async (values: PolicyValues, { key }: { key: string }) => {
    const at = { ...base, check_in_point: point.id };
    const body = policyChange(basis, values);
    return overNewest(
      () => call('getCheckInPoint', at),
      (now, options) => {
        clash(ruleOf(basis), { ...body, ...body.policy }, ruleOf(now));
        return call('changeCheckInPoint', { ...at, body }, { key, ...options });
      },
    );
  };
  return (
    <Form
      values={policyValues(basis)}
      places={PLACES}
      submit={save}
      done={async () => {
        toast(t('rulesSaved'), 'good');
        await refresh('listCheckInPoints');
      }}
    >
      {(parts) => {
        changed.current = parts.changed;
        return (
          <>
            <Draft point={point} values={parts.values} onDraft={onDraft} />
            <TextField label={t('name')} maxLength={200} autoComplete="off" {...parts.field('name')} />
            <AdmittedField {...parts} />
            <TimeFields {...parts} />
            <LimitFields point={point} {...parts} />
            <div className="buttons">
              <Submit />
            </div>
          </>
        );
      }}
    </Form>
  );
}

function Draft({
  point,
  values,
  onDraft,
}: {
  point: CheckInPoint;
  values: PolicyValues;
  onDraft: (point: CheckInPoint) => void;
}) {
  const text = JSON.stringify(values);
  useEffect(() => {
    onDraft({ ...point, policy: policyOf(point.kind, JSON.parse(text) as PolicyValues) });
  }, [point, text, onDraft]);
  return null;
}

function AdmittedField({ field }: FormParts<PolicyValues>) {
  const t = useWords('door');
  const { types, products } = useEvent();
  return (
    <>
      {types.length > 0 && (
        <Checkboxes
          label={t('typesAdmitted')}
          hint={t('noneIsAll')}
          options={types.map(({ code, name }) => ({ value: code, label: name }))}
          {...field('attendee_types')}
        />
      )}
      <Groups {...field('groups')} />
      {products.length > 0 && (
        <Checkboxes
          label={t('productsAdmitted')}
          hint={t('productsHint')}
          options={products.map(({ code, name }) => ({ value: code, label: name }))}
          {...field('products')}
        />
      )}
    </>
  );
}

/** Groups are often many: chosen ones can be taken away, and a field finds others. */
function Groups({
  value,
  onChange,
  fault,
}: {
  value: string[];
  onChange: (value: string[]) => void;
  fault?: string | undefined;
}) {
  const t = useWords('door');
  const { data: groups } = useGroups();
  if (groups === undefined || groups.length === 0) return null;
  const nameOf = (code: string) => groups.find((group) => group.code === code)?.name ?? code;
  const options = flat(treeOf(groups))
    .filter(({ group }) => !value.includes(group.code))
    .map(({ group }) => ({ value: group.code, label: group.name }));
  return (
    <div className="stack" data-gap="small">
      <ComboBox
        label={t('groupsAdmitted')}
        hint={t('groupsHint')}
        fault={fault}
        options={options}
        value=""
        onChange={(code) => code !== '' && onChange([...value, code])}
        required={false}
      />
      {value.length > 0 && (
        <div className="row">
          {value.map((code) => (
            <Chip key={code} label={nameOf(code)} onRemove={() => onChange(value.filter((one) => one !== code))} />
          ))}
        </div>
      )}
    </div>
  );
}

const MINUTES = { type: 'number', min: 0, max: 10_080, step: 1, inputMode: 'numeric' } as const;

function TimeFields({ field }: FormParts<PolicyValues>) {
  const t = useWords('door');
  return (
    <>
      <div className="columns">
        <TextField label={t('opensBefore')} {...MINUTES} {...field('opens_minutes_before')} />
        <TextField label={t('closesAfter')} {...MINUTES} {...field('closes_minutes_after')} />
      </div>
      <DaysField label={t('daysHere')} hint={t('noneIsAllDays')} {...field('days')} />
    </>
  );
}

function LimitFields({ point, field }: FormParts<PolicyValues> & { point: CheckInPoint }) {
  const t = useWords('door');
  const { points } = useEvent();
  const zones = points.filter(({ kind }) => kind === 'zone').map(({ code, name }) => ({ value: code, label: name }));
  return (
    <>
      <Radios
        label={t('howOften')}
        options={LIMITS.map((limit) => ({ value: limit, label: t(`choose.${limit}`) }))}
        {...field('limit')}
      />
      <TextField
        label={t('cooldown')}
        hint={t('cooldownHint')}
        {...MINUTES}
        max={604_800}
        {...field('cooldown_seconds')}
      />
      {point.kind !== 'exit' && (
        <Select
          label={t('requires')}
          empty={t('requiresNothing')}
          options={[
            { value: 'pre_check', label: t('requiresPreCheck') },
            { value: 'entry', label: t('requiresEntry') },
          ]}
          {...field('requires')}
          required={false}
        />
      )}
      {point.kind === 'zone' && (
        <TextField
          label={t('capacity')}
          hint={t('capacityHint')}
          {...MINUTES}
          max={1_000_000_000}
          {...field('capacity')}
          required={false}
        />
      )}
      {point.kind === 'exit' && zones.length > 0 && (
        <Select label={t('leaves')} empty={t('leavesVenue')} options={zones} {...field('leaves')} required={false} />
      )}
    </>
  );
}
