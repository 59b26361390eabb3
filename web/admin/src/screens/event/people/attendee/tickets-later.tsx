import { useEffect } from 'react';
import { later } from '../../../../parts/later.tsx';

// Most who open a person's page or serve somebody at the desk leave the tickets as they are.
const load = () => import('./ticket-dialogs.tsx');
const send = later(async () => (await load()).SendTicket);
const reissue = later(async () => (await load()).ReissueTicket);
const revoke = later(async () => (await load()).VoidTicket);
const issue = later(async () => (await load()).IssueTicket);

export const SendTicket = send.Part;
export const ReissueTicket = reissue.Part;
export const VoidTicket = revoke.Part;
export const IssueTicket = issue.Part;

/** For a screen that shows tickets: their dialogs are there when somebody wants one. */
export const useTicketDialogsSoon = (): void =>
  useEffect(() => {
    // If they cannot be loaded now, it is tried again when they are needed.
    Promise.all([send, reissue, revoke, issue].map((one) => one.load())).catch(() => undefined);
  }, []);
