import type { Attendee, Ticket } from '@turnout/client';
import { Checkbox, Dialog, EmailField, Form, TextArea, useWords } from '@turnout/ui';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { DaysField } from '../../../../parts/fields.tsx';
import { DialogButtons, reasonIn, useDone } from './dialog-parts.tsx';

/** Sends a ticket to its person, or to another address. */
export function SendTicket({ ticket, attendee, onClose }: { ticket: Ticket; attendee: Attendee; onClose: () => void }) {
  const t = useWords('people');
  const { org } = useOrganization();
  const done = useDone(onClose);
  return (
    <Dialog title={t('sendTitle')} onClose={onClose}>
      <Form
        careless
        values={{ email: attendee.email ?? '' }}
        submit={({ email }, { key }) => {
          const to = email.trim();
          const other = to !== '' && to !== attendee.email;
          return call('sendTicket', { org, ticket: ticket.id, body: other ? { email: to } : {} }, { key });
        }}
        done={({ sent_to }) => done(t('wasSent', { email: sent_to }))}
      >
        {({ field }) => (
          <>
            <EmailField
              label={t('sendTo')}
              hint={t(attendee.email === null ? 'sendToRegistrant' : 'sendToHint')}
              autoComplete="off"
              required={false}
              {...field('email')}
            />
            <DialogButtons onClose={onClose}>{t('send')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Replaces a ticket: its code admits nobody from then on. */
export function ReissueTicket({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const t = useWords('people');
  const { org } = useOrganization();
  const done = useDone(onClose);
  return (
    <Dialog title={t('reissueTitle')} onClose={onClose}>
      <Form
        careless
        values={{ send: true }}
        submit={(body, { key }) => call('reissueTicket', { org, ticket: ticket.id, body }, { key })}
        done={({ told }) => done(t(told ? 'wasReissuedSent' : 'wasReissued'))}
      >
        {({ field }) => (
          <>
            <p>{t('reissueText')}</p>
            <Checkbox label={t('sendNew')} {...field('send')} />
            <DialogButtons onClose={onClose}>{t('reissue')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

export function VoidTicket({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const t = useWords('people');
  const { org } = useOrganization();
  const done = useDone(onClose);
  return (
    <Dialog title={t('voidTitle')} onClose={onClose}>
      <Form
        careless
        values={{ reason: '' }}
        submit={({ reason }, { key }) =>
          call('voidTicket', { org, ticket: ticket.id, body: reasonIn(reason) }, { key })
        }
        done={() => done(t('wasVoided'))}
      >
        {({ field }) => (
          <>
            <p>{t('voidText')}</p>
            <TextArea label={t('reason')} required={false} maxLength={200} {...field('reason')} />
            <DialogButtons danger onClose={onClose}>
              {t('void')}
            </DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Another ticket, for all days of the person or for some of them. */
export function IssueTicket({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const t = useWords('people');
  const { base, types } = useEvent();
  const done = useDone(onClose);
  const type = types.find(({ code }) => code === attendee.attendee_type);
  return (
    <Dialog title={t('issueTitle')} onClose={onClose}>
      <Form
        careless
        values={{ days: [...attendee.days] }}
        submit={({ days }, { key }) =>
          call(
            'issueTicket',
            {
              ...base,
              body: { attendee: attendee.id, ...(days.length > 0 && days.length < attendee.days.length && { days }) },
            },
            { key },
          )
        }
        done={() => done(t('wasIssued'))}
      >
        {({ field }) => (
          <>
            <p>{t('issueText')}</p>
            <DaysField type={type && { ...type, days: attendee.days }} {...field('days')} />
            <DialogButtons onClose={onClose}>{t('issue')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}
