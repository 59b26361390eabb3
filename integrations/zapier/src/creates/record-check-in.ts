import { type Bundle, defineCreate } from 'zapier-platform-core';
import { act, sameRun } from '../act.ts';
import { filled, path, type Row } from '../api.ts';
import { event, retryKey } from '../fields.ts';
import { scan } from '../samples.ts';

/** A UUID that is the same for the same text. */
const uuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

export const recordCheckIn = defineCreate({
  key: 'record_check_in',
  noun: 'Check-In',
  display: {
    label: 'Record Check-In',
    description: 'Scans a ticket at a check-in point. The result says whether the person is admitted.',
  },
  operation: {
    inputFields: [
      event,
      {
        key: 'check_in_point',
        label: 'Check-In Point',
        type: 'string',
        required: true,
        dynamic: 'check_in_point_list.code.name',
      },
      { key: 'code', label: 'Ticket Code', type: 'string', required: true },
      {
        // Required here: two people with one ticket also send the same values twice, and the second one must not get the answer of the
        // first. Only somebody who builds the Zap can tell a second scan from a repeated run.
        ...retryKey,
        label: 'Scan ID',
        required: true,
        helpText:
          'Something that differs from scan to scan, such as the id of the record that triggered the Zap. A scan with the same id counts once, so a run that Zapier repeats checks nobody in twice.',
      },
      {
        key: 'scanned_at',
        label: 'Time of the Scan',
        type: 'datetime',
        required: false,
        helpText: 'Leave it empty for now.',
      },
    ],
    perform: async (z, bundle) => {
      const { event: of, check_in_point, code, scanned_at } = (bundle as Bundle).inputData;
      const client_uuid = uuid(sameRun(bundle as Bundle, 'scan', of, check_in_point, code));
      const body = filled({ code, check_in_point, client_uuid, scanned_at });
      const answer = await act<{ checkins: Row[] }>(z, bundle as Bundle, path`/events/${of}/scan`, body);
      // A code that is not known leaves no check-in.
      return { id: answer.checkins[0]?.id ?? client_uuid, ...answer };
    },
    sample: scan,
  },
});
