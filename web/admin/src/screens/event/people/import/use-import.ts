import { useQueryClient } from '@tanstack/react-query';
import type { Job } from '@turnout/client';
import { guard } from '@turnout/contract/csv-guard';
import { useAction } from '../../../../frame/action.ts';
import { call, queryOf, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { type Sheet, writeCsv } from '../../../../parts/csv.ts';
import { changeDraft, type Draft } from './draft.ts';

/** Calls that send the file, or rows of it, as the draft says. */
export function useImport() {
  const { base, event } = useEvent();
  const client = useQueryClient();
  const refresh = useRefresh();
  const send = async (draft: Draft, file: Blob, preview: boolean, key: string): Promise<Job> => {
    const query = {
      preview,
      date_order: draft.dateOrder,
      ...(draft.emails && { send_ticket_emails: true }),
      ...(Object.keys(draft.mapping).length > 0 && { mapping: JSON.stringify(draft.mapping) }),
    };
    const job = await call('importPeople', { ...base, query, file }, { key });
    client.setQueryData(queryOf('getJob', { org: base.org, job: job.id }).queryKey, job);
    return job;
  };
  const check = useAction(async (draft: Draft, { key }: { key: string }) => {
    const job = await send(draft, draft.file, true, key);
    changeDraft(event.id, { preview: job.id });
    return job;
  });
  const afterwards = () =>
    refresh('listJobs', 'listAttendees', 'listRegistrations', 'getEventSummary', 'getAvailability' as never);
  return { send, check, afterwards };
}

/** Rows of a file as they came, guards included. */
export const csvAsItCame = (sheet: Sheet): Blob => new Blob([writeCsv(sheet)], { type: 'text/csv' });

/** Cells are guarded, because the import takes guards off: without one, a quote of the person's own would be lost. */
export const csvFile = ({ head, rows }: Sheet): Blob =>
  csvAsItCame({ head: head.map(guard), rows: rows.map((cells) => cells.map(guard)) });
