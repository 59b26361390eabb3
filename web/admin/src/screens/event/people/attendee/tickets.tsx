import type { Attendee, Ticket } from '@turnout/client';
import { Button, CopyButton, EmptyState, Menu, MoreIcon, Section, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { usePages } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { QueryResult } from '../../../../frame/query-result.tsx';
import { QrCode } from '../../../../parts/qr.tsx';
import { StateBadge } from '../../../../parts/status.tsx';
import { useMayHere } from '../may-here.ts';
import { nameOf } from '../query.ts';
import { IssueTicket, ReissueTicket, SendTicket, useTicketDialogsSoon, VoidTicket } from './tickets-later.tsx';

/** The tickets of a person, newest first. */
export const useTickets = (attendee: string) => {
  const { base } = useEvent();
  return usePages('listTickets', { ...base, query: { attendee, order: 'newest', limit: 100 } });
};

/** The address of a ticket as PDF, which a browser can show and print. */
export const pdfAddress = (org: string, ticket: string, format: 'a4' | 'phone'): string =>
  `/app/api/${encodeURIComponent(org)}/tickets/${encodeURIComponent(ticket)}/pdf?format=${format}`;

type Open = { what: 'send' | 'reissue' | 'void'; ticket: Ticket } | { what: 'issue' };

/** The tickets with what can be done with each. Voided ones stand below, closed. */
export function Tickets({ attendee }: { attendee: Attendee }) {
  const t = useWords('people');
  const may = useMayHere();
  const tickets = useTickets(attendee.id);
  const [open, setOpen] = useState<Open | null>(null);
  useTicketDialogsSoon();
  const writes = may('people.write');
  const close = () => setOpen(null);
  return (
    <Section
      title={t('tickets')}
      actions={
        writes &&
        attendee.status === 'confirmed' && (
          <Button size="small" onClick={() => setOpen({ what: 'issue' })}>
            {t('issue')}
          </Button>
        )
      }
    >
      <QueryResult query={{ ...tickets, data: tickets.rows }} shape={<div className="ticket ticket-shape" />}>
        {(rows) => <TicketList rows={rows} attendee={attendee} writes={writes} onOpen={setOpen} />}
      </QueryResult>
      {open?.what === 'issue' && <IssueTicket attendee={attendee} onClose={close} />}
      {open?.what === 'send' && <SendTicket ticket={open.ticket} attendee={attendee} onClose={close} />}
      {open?.what === 'reissue' && <ReissueTicket ticket={open.ticket} onClose={close} />}
      {open?.what === 'void' && <VoidTicket ticket={open.ticket} onClose={close} />}
    </Section>
  );
}

function TicketList({
  rows,
  attendee,
  writes,
  onOpen,
}: {
  rows: readonly Ticket[];
  attendee: Attendee;
  writes: boolean;
  onOpen: (open: Open) => void;
}) {
  const t = useWords('people');
  const valid = rows.filter(({ status }) => status === 'valid');
  const voided = rows.filter(({ status }) => status !== 'valid');
  return (
    <>
      {valid.length === 0 && (
        <EmptyState title={t('noTicket')}>
          {t(attendee.status === 'confirmed' ? 'noTicketText' : 'noTicketYet')}
        </EmptyState>
      )}
      {valid.map((ticket) => (
        <OneTicket key={ticket.id} ticket={ticket} attendee={attendee} writes={writes} onOpen={onOpen} />
      ))}
      {voided.length > 0 && (
        <details className="fold">
          <summary>{t('voidedTickets', { count: voided.length })}</summary>
          <ul className="voided">
            {voided.map((ticket) => (
              <li key={ticket.id} className="row">
                <code>{ticket.code ?? '…'}</code>
                <StateBadge kind="ticket" value={ticket.status} />
                <span className="soft">{ticket.void_reason ?? (ticket.replaced_by !== null && t('replaced'))}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function OneTicket({
  ticket,
  attendee,
  writes,
  onOpen,
}: {
  ticket: Ticket;
  attendee: Attendee;
  writes: boolean;
  onOpen: (open: Open) => void;
}) {
  const t = useWords('people');
  const formats = useFormats();
  const { org } = useOrganization();
  const { dayName } = useEvent();
  const others = ticket.attendees.filter(({ id }) => id !== attendee.id);
  return (
    <article className="ticket" aria-label={t('ticketNamed', { code: ticket.code ?? '' })}>
      {ticket.code !== null && <QrCode text={ticket.code} label={t('qrOf', { code: ticket.code })} size="7rem" />}
      <div className="stack" data-gap="small">
        <div className="row">
          <code className="ticket-code">{ticket.code ?? '…'}</code>
          {ticket.code !== null && <CopyButton text={ticket.code} what={t('code')} kind="link" />}
          <StateBadge kind="ticket" value={ticket.status} />
        </div>
        {ticket.days.length > 0 && <div className="soft">{formats.list(ticket.days.map(dayName))}</div>}
        {others.length > 0 && (
          <div className="soft">{t('sharedWith', { names: formats.list(others.map(nameOf)) })}</div>
        )}
        <div className="buttons">
          <a
            className="button"
            data-kind="usual"
            data-size="small"
            href={pdfAddress(org, ticket.id, 'a4')}
            target="_blank"
            rel="noreferrer"
          >
            {t('print')}
          </a>
          {writes && (
            <Button size="small" onClick={() => onOpen({ what: 'send', ticket })}>
              {t('send')}
            </Button>
          )}
          <Menu
            label={t('ticketActions', { code: ticket.code ?? '' })}
            button={{ kind: 'usual', size: 'small' }}
            groups={[
              {
                items: [
                  {
                    ...{ id: 'phone', label: t('pdfPhone') },
                    onAction: () => window.open(pdfAddress(org, ticket.id, 'phone'), '_blank', 'noreferrer'),
                  },
                ],
              },
              ...(writes
                ? [
                    {
                      items: [
                        { id: 'reissue', label: t('reissue'), onAction: () => onOpen({ what: 'reissue', ticket }) },
                        {
                          ...{ id: 'void', label: t('void'), danger: true },
                          onAction: () => onOpen({ what: 'void', ticket }),
                        },
                      ],
                    },
                  ]
                : []),
            ]}
          >
            <MoreIcon />
          </Menu>
        </div>
      </div>
    </article>
  );
}
