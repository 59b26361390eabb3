import type { WebhookEndpoint } from '@turnout/client';
import { EVENT_TYPES, type EventType } from '@turnout/contract/event-types';
import { Checkboxes, ComboBox, type FormField, type FormParts, Radios, TextField, useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { GroupLimit } from '../group-limit.tsx';

export interface WebhookValues {
  url: string;
  description: string;
  which: 'all' | 'chosen';
  events: EventType[];
  event: string;
  group: string;
}

const isType = (one: string): one is EventType => (EVENT_TYPES as readonly string[]).includes(one);

export const valuesOf = (endpoint: WebhookEndpoint): WebhookValues => ({
  url: endpoint.url,
  description: endpoint.description ?? '',
  which: endpoint.events.includes('*') ? 'all' : 'chosen',
  events: endpoint.events.filter(isType),
  event: endpoint.event ?? '',
  group: endpoint.group ?? '',
});

/** What is sent to the server. What stays empty is set to null, so that it can be taken away again. */
export const bodyOf = ({ url, description, which, events, event, group }: WebhookValues) => ({
  url: url.trim(),
  description: description === '' ? null : description,
  events: which === 'all' ? ['*' as const] : [...events],
  event: event === '' ? null : event,
  group: group === '' ? null : group,
});

/** What is sent to change one: only what was changed. */
export const changedBody = (
  change: Partial<WebhookValues>,
  values: WebhookValues,
): Partial<ReturnType<typeof bodyOf>> =>
  Object.fromEntries(
    Object.entries(bodyOf(values)).filter(([name]) => name in change || (name === 'events' && 'which' in change)),
  );

const KINDS = ['registration', 'ticket', 'checkin', 'payment'] as const;

/** The fields of an endpoint, for making one and for changing it. */
export function WebhookFields({ values, field, set }: FormParts<WebhookValues>) {
  const t = useWords('webhooks');
  const chosen = field('events');
  return (
    <>
      <TextField
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={2000}
        {...field('url')}
      />
      <TextField
        label={t('description')}
        hint={t('descriptionHint')}
        required={false}
        maxLength={200}
        {...field('description')}
      />
      <Radios
        label={t('types')}
        options={[
          { value: 'all', label: t('allTypes'), hint: t('allTypesHint') },
          { value: 'chosen', label: t('chosenTypes') },
        ]}
        {...field('which')}
        fault={values.which === 'all' ? chosen.fault : undefined}
      />
      {values.which === 'chosen' && (
        <div className="type-groups">
          {KINDS.map((kind, i) => (
            <Checkboxes
              key={kind}
              label={t(`kind.${kind}`)}
              name="events"
              value={values.events}
              onChange={(events) => set({ events })}
              fault={i === 0 ? chosen.fault : undefined}
              options={EVENT_TYPES.filter((type) => type.startsWith(`${kind}.`)).map((type) => ({
                value: type,
                label: t(`type.${type}`),
                hint: <code>{type}</code>,
              }))}
            />
          ))}
        </div>
      )}
      <EventField field={field('event')} />
      <GroupLimit field={field('group')} hint={t('groupHint')} />
    </>
  );
}

/** Limits the endpoint to one event: chosen by name. Not shown while there are no events. */
function EventField({ field }: { field: FormField<string> }) {
  const t = useWords('webhooks');
  const { org, may } = useOrganization();
  const events = useCall(
    'listEvents',
    { org, query: { limit: 100, order: 'newest' } },
    { enabled: may('events.read') },
  );
  const { value } = field;
  const options = (events.data?.data ?? []).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
  if (value !== '' && !options.some((one) => one.value === value)) options.push({ value, label: value });
  if (options.length === 0) return null;
  return (
    <ComboBox
      label={t('onlyEvent')}
      hint={t('onlyEventHint')}
      placeholder={t('everything')}
      required={false}
      options={options}
      {...field}
    />
  );
}
