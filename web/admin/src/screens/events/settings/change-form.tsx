import { type Event, type EventChange, Problem } from '@turnout/client';
import { Form, type FormParts, Notice, Submit, toast, useFormats, useWords } from '@turnout/ui';
import { type ReactNode, useRef, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { atCode } from '../at-code.ts';
import { useOpenEvent } from '../use-open-event.ts';
import { changesIn, clashesOf, differing } from './changes.ts';

export interface ChangeParts<V> extends FormParts<V> {
  /** Whether a field has another value than the event. */
  moved: (name: keyof V & string) => boolean;
}

/**
 * A form for some settings of the event. It sends only what was changed in it, so that two people who change different things at the
 * same time do not undo each other. When both changed the same field, whoever saves later is told what the other one set, and decides.
 */
export function ChangeForm<V extends object>({
  of,
  body,
  names,
  places,
  children,
}: {
  /** The values of an event as this form has them. */
  of: (event: Event) => V;
  body: (change: Partial<V>) => EventChange;
  /** What each field is called. */
  names: Readonly<Record<keyof V & string, string>>;
  places?: Readonly<Record<string, keyof V & string>>;
  children: (parts: ChangeParts<V>) => ReactNode;
}) {
  const t = useWords('events');
  const p = useWords('common');
  const { event, base } = useEvent();
  const { may } = useOrganization();
  const refresh = useRefresh();
  const open = useOpenEvent('/$org/events/$event/settings', true);
  const shown = useShown();
  const changed = useRef(false);
  /** The event that the typed values are based on: the newest one, unless somebody is typing. */
  const [basis, setBasis] = useState(event);
  if (basis !== event && !changed.current) setBasis(event);
  /** What others set meanwhile, as far as this person has been told. */
  const told = useRef<ReadonlyMap<string, string>>(new Map());
  const before = of(basis);
  const locked = event.status === 'archived' || !may('events.write');

  const submit = async (values: V): Promise<Event> => {
    const change = changesIn(before, values);
    if (Object.keys(change).length === 0) return basis;
    const now = of(await call('getEvent', base));
    const clashes = clashesOf(before, change, now, told.current);
    if (clashes.length > 0) {
      told.current = new Map(clashes.map((name) => [name, JSON.stringify(now[name])]));
      throw new Problem({
        ...{ status: 409, code: 'changed_meanwhile', operation: 'changeEvent', message: t('clash') },
        details: clashes.map((name) => ({ path: name, message: t('clashField', { value: shown(now[name]) }) })),
      });
    }
    return atCode(call('changeEvent', { ...base, body: body(change) }), t('codeTaken'));
  };
  return (
    <Form
      values={before}
      submit={submit}
      {...(places !== undefined && { places })}
      done={(saved) => {
        told.current = new Map();
        toast(p('saved'), 'good');
        // The address has the code. With another one the event would not be found any more.
        if (saved.code !== event.code && base.event === event.code) open(saved.code);
        else void refresh('getEvent', 'listDays');
        void refresh('listEvents', 'getOverview', 'getAvailability', 'listAuditLog');
      }}
    >
      {(parts) => {
        changed.current = parts.changed;
        const others = parts.changed ? differing(before, of(event)) : [];
        return (
          <>
            <fieldset className="settings-fields" disabled={locked}>
              {children({ ...parts, moved: (name) => differing(before, parts.values).includes(name) })}
            </fieldset>
            {others.length > 0 && (
              <Notice tone="warn" title={t('meanwhile')}>
                <ul className="events-points">
                  {others.map((name) => (
                    <li key={name}>{t('meanwhileField', { name: names[name], value: shown(of(event)[name]) })}</li>
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

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

/** A value of a field as a person reads it. */
function useShown(): (value: unknown) => string {
  const p = useWords('parts');
  const formats = useFormats();
  const { timezone } = useEvent();
  return (value) => {
    if (value === null || value === '') return '–';
    if (typeof value === 'boolean') return p(value ? 'yes' : 'no');
    if (typeof value === 'string' && INSTANT.test(value)) return formats.dateTime(value, timezone);
    return String(value);
  };
}
