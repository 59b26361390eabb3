import { useQuery } from '@tanstack/react-query';
import type { Attendee, HandOut, Registration } from '@turnout/client';
import {
  Badge,
  Button,
  CheckIcon,
  Dialog,
  Form,
  Notice,
  ProblemNotice,
  Section,
  Submit,
  TextArea,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../frame/action.ts';
import { call, queryOf, useCall, useRefresh } from '../frame/api.ts';
import { useEvent } from '../frame/event.tsx';
import { useMayHere } from '../screens/event/people/may-here.ts';
import { type BookedUnits, bookedUnits } from './booked-units.ts';
import './handing-out.css';

const CHANGED = ['getAttendee', 'getRegistration', 'listAttendees', 'listHandOuts', 'listAuditLog'] as const;

/** A tap that is sent again after a lost connection is the same tap. */
const uuidOf = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

interface Booker {
  attendee: Attendee;
  registration: Registration | undefined;
}

/** Whether there is anything to show: the person or the whole registration has booked something. */
const hasBooked = ({ attendee, registration }: Booker): boolean =>
  attendee.products.length > 0 || (registration?.products.length ?? 0) > 0;

/** A section of a page about somebody; nothing for people who have booked nothing. */
export function HandingOutSection(booker: Booker) {
  const t = useWords('handing-out');
  if (!hasBooked(booker)) return null;
  return (
    <Section title={t('title')}>
      <HandingOut {...booker} point={null} />
    </Section>
  );
}

/** The same at the desk. `point`: the code of the check-in point where the desk is. */
export function HandingOutAtDesk({ point, ...booker }: Booker & { point: string | null }) {
  const t = useWords('handing-out');
  if (!hasBooked(booker)) return null;
  return (
    <section className="stack" data-gap="small" aria-labelledby="desk-handing-out">
      <h3 id="desk-handing-out">{t('title')}</h3>
      <HandingOut {...booker} point={point} />
    </section>
  );
}

/** What somebody has booked beside the ticket, alone and with the whole registration, with a button that hands out one unit at a time. */
function HandingOut({ attendee: known, registration, point }: Booker & { point: string | null }) {
  const t = useWords('handing-out');
  const { base, products } = useEvent();
  const { data: attendee = known } = useQuery({
    ...queryOf('getAttendee', { ...base, attendee: known.id }),
    placeholderData: known,
  });
  const shared = registration?.products ?? [];
  const own = useCall('listHandOuts', { ...base, query: { attendee: known.id, undone: false, limit: 200 } });
  const all = useCall(
    'listHandOuts',
    { ...base, query: { registration: known.registration_id, undone: false, order: 'newest', limit: 200 } },
    { enabled: shared.length > 0 },
  );
  const ofAll = (all.data?.data ?? []).filter(isHandOut).filter(({ attendee_id }) => attendee_id === null);
  return (
    <div className="stack handing-out">
      <ProblemNotice problem={own.error ?? all.error} />
      {attendee.status !== 'confirmed' && <p className="small">{t('waits')}</p>}
      <Units
        owner={{ attendee: attendee.id }}
        units={bookedUnits(attendee.products, (own.data?.data ?? []).filter(isHandOut), products)}
        confirmed={attendee.status === 'confirmed'}
        point={point}
      />
      {shared.length > 0 && registration !== undefined && (
        <>
          <h3>{t('forAll')}</h3>
          <Units
            owner={{ registration: registration.id }}
            units={bookedUnits(shared, ofAll, products)}
            confirmed={registration.status === 'confirmed'}
            point={point}
          />
        </>
      )}
    </div>
  );
}

const isHandOut = (row: HandOut | { removed: true }): row is HandOut => !('removed' in row);

type Owner = { attendee: string } | { registration: string };

function Units({
  owner,
  units,
  confirmed,
  point,
}: {
  owner: Owner;
  units: readonly BookedUnits[];
  confirmed: boolean;
  point: string | null;
}) {
  if (units.length === 0) return null;
  return (
    <ul className="handing-out-list">
      {units.map((one) => (
        <Unit key={`${one.product} ${one.option}`} owner={owner} units={one} confirmed={confirmed} point={point} />
      ))}
    </ul>
  );
}

function Unit({
  owner,
  units,
  confirmed,
  point,
}: {
  owner: Owner;
  units: BookedUnits;
  confirmed: boolean;
  point: string | null;
}) {
  const t = useWords('handing-out');
  const { base } = useEvent();
  const may = useMayHere();
  const refresh = useRefresh();
  const { product, option, quantity, handedOut } = units;
  const name = units.optionName === null ? units.name : t('withOption', { name: units.name, option: units.optionName });
  const left = quantity - handedOut;
  const hand = useAction(
    async (units: { product: string; option: string | null; at: string | null }, { key }: { key: string }) => {
      const body = {
        ...owner,
        product: units.product,
        ...(units.option !== null && { option: units.option }),
        ...(units.at !== null && { check_in_point: units.at }),
        client_uuid: uuidOf(key),
      };
      try {
        await call('handOut', { ...base, body }, { key });
        toast(t('wasHandedOut', { name }), 'good');
      } finally {
        // If somebody else was faster, the list says so.
        await refresh(...CHANGED);
      }
    },
  );
  return (
    <li data-left={left > 0 || undefined}>
      <div className="handing-out-unit">
        <span className="handing-out-name">
          <bdi>{name}</bdi>
          <span className="small">
            {left <= 0 && handedOut > 0 ? (
              <>
                <CheckIcon /> {t('done')}
              </>
            ) : (
              t('some', { done: handedOut, count: quantity })
            )}
          </span>
        </span>
        {confirmed && left > 0 && may('door.scan') && (
          <Button
            aria-label={t('handOutOf', { name })}
            busy={hand.busy}
            onClick={() => void hand.run({ product, option, at: point })}
          >
            {t('handOut')}
          </Button>
        )}
      </div>
      <ProblemNotice problem={hand.problem} />
      {units.handOuts.map((one) => (
        <Given key={one.id} handOut={one} name={name} />
      ))}
    </li>
  );
}

/** When it was handed out and by whom; a wrong one is taken back on the spot. */
function Given({ handOut, name }: { handOut: HandOut; name: string }) {
  const t = useWords('handing-out');
  const formats = useFormats();
  const { timezone } = useEvent();
  const may = useMayHere();
  const [open, setOpen] = useState(false);
  return (
    <div className="handing-out-given">
      <span className="small">
        {t('by', { when: formats.dateTime(handOut.handed_out_at, timezone), name: handOut.actor.name })}
        {handOut.surplus && <Badge tone="warn">{t('surplus')}</Badge>}
      </span>
      {may('door.override') && (
        <Button kind="link" aria-label={t('undoOf', { name })} onClick={() => setOpen(true)}>
          {t('undo')}
        </Button>
      )}
      {open && <UndoHandOut handOut={handOut} name={name} onClose={() => setOpen(false)} />}
    </div>
  );
}

function UndoHandOut({ handOut, name, onClose }: { handOut: HandOut; name: string; onClose: () => void }) {
  const t = useWords('handing-out');
  const { base } = useEvent();
  const refresh = useRefresh();
  return (
    <Dialog title={t('undoTitle')} onClose={onClose}>
      <Form
        careless
        values={{ reason: '' }}
        submit={({ reason }, { key }) =>
          call('undoHandOut', { ...base, hand_out: handOut.id, body: { reason: reason.trim() } }, { key })
        }
        done={() => {
          toast(t('wasUndone'), 'good');
          onClose();
          void refresh(...CHANGED);
        }}
      >
        {({ field }) => (
          <>
            {handOut.surplus ? <Notice>{t('surplusText')}</Notice> : <p>{t('undoText', { name })}</p>}
            <TextArea label={t('reason')} hint={t('reasonHint')} maxLength={500} {...field('reason')} />
            <div className="buttons">
              <Submit>{t('undo')}</Submit>
              <Button kind="quiet" onClick={onClose}>
                {t('back')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
