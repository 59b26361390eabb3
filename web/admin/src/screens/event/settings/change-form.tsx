import type { Event, EventChange } from '@turnout/client';
import { Form, type FormParts, Notice, Submit, toast, useWords } from '@turnout/ui';
import { type ReactNode, useRef, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { changesIn, differing } from '../../../parts/changes.ts';
import { useClash, useShown } from '../../../parts/clash.ts';
import { overNewest } from '../../../parts/over-newest.ts';
import { atCode } from '../../events/at-code.ts';
import { useOpenEvent } from '../../events/use-open-event.ts';

export interface ChangeParts<V> extends FormParts<V> {
  /** Whether a field has another value than the event. */
  moved: (name: keyof V & string) => boolean;
}

/**
 * A form for some settings of the event. It sends only what was changed in it, so that two people who change different things at the
 * same time do not undo each other. When both changed the same field, whoever saves later is told what the other one set, and decides.
 */
export function ChangeForm<V extends object>({
  valuesOf,
  body,
  names,
  places,
  children,
}: {
  /** The values of an event as this form has them. */
  valuesOf: (event: Event) => V;
  body: (change: Partial<V>) => EventChange;
  /** What each field is called. */
  names: Readonly<Record<keyof V & string, string>>;
  places?: Readonly<Record<string, keyof V & string>>;
  children: (parts: ChangeParts<V>) => ReactNode;
}) {
  const t = useWords('events');
  const p = useWords('common');
  const { event, base, timezone } = useEvent();
  const { may } = useOrganization();
  const refresh = useRefresh();
  const open = useOpenEvent('/$org/events/$event/settings', true);
  const shown = useShown(timezone);
  const clash = useClash('changeEvent', { zone: timezone });
  const changed = useRef(false);
  /** The event that the typed values are based on: the newest one, unless somebody is typing. */
  const [basis, setBasis] = useState(event);
  if (basis !== event && !changed.current) setBasis(event);
  const before = valuesOf(basis);
  const locked = event.status === 'archived' || !may('events.write');

  const submit = async (values: V): Promise<Event> => {
    const change = changesIn(before, values);
    if (Object.keys(change).length === 0) return basis;
    return overNewest(
      () => call('getEvent', base),
      (now, options) => {
        clash(before, change, valuesOf(now));
        return atCode(call('changeEvent', { ...base, body: body(change) }, options), t('codeTaken'));
      },
    );
  };
  return (
    <Form
      values={before}
      submit={submit}
      {...(places !== undefined && { places })}
      done={(saved) => {
        toast(p('saved'), 'good');
        // The address has the code. With another one the event would not be found any more.
        if (saved.code !== event.code && base.event === event.code) open(saved.code);
        else void refresh('getEvent', 'listDays');
        void refresh('listEvents', 'getOverview', 'getAvailability', 'listAuditLog');
      }}
    >
      {(parts) => {
        changed.current = parts.changed;
        const others = parts.changed ? differing(before, valuesOf(event)) : [];
        return (
          <>
            <fieldset className="settings-fields" disabled={locked}>
              {children({ ...parts, moved: (name) => differing(before, parts.values).includes(name) })}
            </fieldset>
            {others.length > 0 && (
              <Notice tone="warn" title={t('meanwhile')}>
                <ul className="events-points">
                  {others.map((name) => (
                    <li key={name}>
                      {t('meanwhileField', { name: names[name], value: shown(valuesOf(event)[name]) })}
                    </li>
                  ))}
                </ul>
                {t('meanwhileText')}
              </Notice>
            )}
            {!locked && (
              <div className="buttons">
                <Submit />
              </div>
            )}
          </>
        );
      }}
    </Form>
  );
}
