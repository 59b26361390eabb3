import type { Attendee } from '@turnout/client';
import { toast, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { pdfAddress } from '../../people/attendee/tickets.tsx';
import type { Format } from './settings.tsx';
import { ticketOf } from './tickets.ts';
import { usePresentDay } from './use-check-in.ts';

/** Opens the ticket as PDF in a tab of its own, from which the browser prints it. */
export function usePrint(format: Format): (attendee: Attendee) => Promise<void> {
  const t = useWords('desk');
  const { base } = useEvent();
  const day = usePresentDay();
  return async (of) => {
    const valid = of.tickets.filter(({ status }) => status === 'valid');
    const addressOf = (ticket: string) => pdfAddress(base.org, ticket, format);
    // Browsers allow a new tab only in the moment in which a key or button is pressed, so it is opened before anything is asked.
    const tab = window.open(valid.length === 1 ? addressOf(valid[0]!.id) : 'about:blank', '_blank');
    if (tab === null) return toast(t('tabBlocked'), 'warn');
    if (valid.length === 1) return;
    const ticket = await ticketOf(base, of, day).catch(() => undefined);
    if (ticket === undefined) tab.close();
    else tab.location.replace(addressOf(ticket));
  };
}
