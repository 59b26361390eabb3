import { Link } from '@tanstack/react-router';
import type { Attendee, ScanResponse } from '@turnout/client';
import { Button, Dialog, Form, Notice, readChoice, Select, Submit, storeChoice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { StateBadge, useReasonText } from '../../../../parts/status.tsx';
import { CHANGED } from '../changed.ts';
import { Override } from '../override.tsx';
import { useDone } from './dialog-parts.tsx';

const LAST_POINT = 'turnout.point';

/** Whether somebody has a ticket that can be scanned. */
export const canCheckIn = (attendee: Attendee): boolean => attendee.tickets.some(({ status }) => status === 'valid');

/** A scan that is sent again after a lost connection is the same scan, as the submission is the same. */
const uuidOf = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Checks somebody in at a point, as if their ticket were scanned there. The answer is the door's; a refusal can be overridden. */
export function CheckInDialog({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const t = useWords('people');
  const { base, points, pointName } = useEvent();
  const [answer, setAnswer] = useState<ScanResponse | null>(null);
  const refresh = useRefresh();
  const done = useDone(onClose);
  const { may } = useOrganization();
  const tickets = attendee.tickets.filter(({ status }) => status === 'valid');
  const last = readChoice(LAST_POINT);
  const first = points.find(({ code }) => code === last) ?? points[0];
  if (points.length === 0)
    return (
      <Dialog title={t('checkIn')} onClose={onClose}>
        <p>{t('noPoints')}</p>
        <div className="buttons">
          {may('events.write') && (
            <Link className="button" data-kind="main" to="/$org/events/$event/check-in/points" params={base}>
              {t('toPoints')}
            </Link>
          )}
          <Button kind="quiet" onClick={onClose}>
            {t('back')}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t('checkIn')} onClose={onClose}>
      <Form
        careless
        values={{ check_in_point: first?.code ?? '', ticket_id: tickets[0]?.id ?? '' }}
        submit={({ check_in_point, ticket_id }, { key }) => {
          storeChoice(LAST_POINT, check_in_point);
          const body = { ticket_id, check_in_point, client_uuid: uuidOf(key), people: [attendee.id] };
          return call('scanTicket', { ...base, body }, { key });
        }}
        done={(reply, { check_in_point }) => {
          if (reply.admitted) return done(t('admittedAt', { point: pointName(check_in_point) }));
          setAnswer(reply);
          void refresh(...CHANGED);
        }}
      >
        {({ field }) => (
          <>
            <Select
              label={t('point')}
              options={points.map(({ code, name }) => ({ value: code, label: name }))}
              {...field('check_in_point')}
            />
            {tickets.length > 1 && (
              <Select
                label={t('ticket')}
                options={tickets.map(({ id, code }) => ({ value: id, label: code ?? id }))}
                {...field('ticket_id')}
              />
            )}
            <div className="buttons">
              <Submit>{t('checkIn')}</Submit>
              <Button kind="quiet" onClick={onClose}>
                {t('back')}
              </Button>
            </div>
          </>
        )}
      </Form>
      {answer !== null && <RefusedCheckIn answer={answer} attendee={attendee} onDone={done} />}
    </Dialog>
  );
}

function RefusedCheckIn({
  answer,
  attendee,
  onDone,
}: {
  answer: ScanResponse;
  attendee: Attendee;
  onDone: (text: string) => void;
}) {
  const t = useWords('people');
  const { may } = useOrganization();
  const reasonText = useReasonText();
  const [overriding, setOverriding] = useState(false);
  const person = answer.people.find(({ id }) => id === attendee.id) ?? answer.person;
  const result = person?.result ?? answer.result;
  const reason = person?.reason ?? answer.reason;
  const checkIn = answer.checkins.find(({ attendee_id }) => attendee_id === attendee.id);
  return (
    <Notice tone="warn" title={<StateBadge kind="result" value={result} />}>
      <div className="stack" data-gap="small">
        {reason !== null && <span>{reasonText(reason)}</span>}
        {may('door.override') && checkIn !== undefined && (
          <span className="buttons">
            <Button size="small" onClick={() => setOverriding(true)}>
              {t('override')}
            </Button>
          </span>
        )}
      </div>
      {overriding && checkIn !== undefined && (
        <Override checkIn={checkIn.id} onClose={() => setOverriding(false)} onDone={() => onDone(t('wasOverridden'))} />
      )}
    </Notice>
  );
}
