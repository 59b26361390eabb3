import { event, organization } from './resources.ts';
import { disagreeing, handOutUndone, overridden, roster, undone } from './resources-door.ts';
import {
  cancelledJob,
  cancelledMessage,
  codesUnderWay,
  exporting,
  exportJob,
  goingOn,
  paused,
  replayed,
  rotated,
  sending,
  templateImported,
} from './resources-work.ts';

/**
 * Examples for operations for which the example of the resource does not fit, by operationId or by operationId and status. Fields
 * that are left out here are made from the schema.
 */
export const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  overrideCheckIn: { reason: 'Knows the band' },
  undoCheckIn: { reason: 'The wrong person' },
  cancelRegistration: { reason: 'Cannot come after all.' },
  startBulkAction: { action: 'approve', filter: { status: 'pending_approval' } },
};

const page = { next_cursor: null, has_more: false };

export const ANSWERS: Readonly<Record<string, Record<string, unknown>>> = {
  removeEventImage: { ...event, image: null },
  removeLogo: { ...organization, logo: null },
  getAvailability: {
    products: [
      {
        product: 'workshop',
        capacity: 40,
        taken: 31,
        left: 9,
        options: [{ option: 'evening', capacity: 12, taken: 12, left: 0 }],
      },
    ],
    quotas: [{ quota: 'kitchen', capacity: 40, taken: 31, left: 9 }],
  },
  getOverview: { events: [{ venue: event.venue, image: event.image?.replace('-1600.', '-480.') }] },
  overrideCheckIn: overridden,
  undoCheckIn: undone,
  undoHandOut: handOutUndone,
  listDisagreements: { data: [disagreeing], page },
  countCheckIns: {
    data: [
      { check_in_point: 'main-gate', day: 'day1', attendee_type: 'adult', admissions: 411, people: 398, refusals: 12 },
    ],
  },
  getManifest: {
    questions: [{ code: 'diet', label: 'What do you eat?', kind: 'choice' }],
    group: null,
    groups: [
      { code: 'clubs', name: 'Clubs', parent: null },
      { code: 'rowing', name: 'Rowing club', parent: 'clubs' },
    ],
    roster,
    server_time: '2026-11-20T08:15:00Z',
  },
  'importPeople 202': goingOn,
  'createExport 201': exportJob,
  'createExport 202': exporting,
  importEventTemplate: templateImported,
  createDiscountBatch: codesUnderWay,
  cancelJob: cancelledJob,
  startCheckout: { expires_at: '2026-11-15T10:30:00Z' },
  sendCommunication: sending,
  cancelCommunication: cancelledMessage,
  rotateWebhookSecret: rotated,
  pauseWebhook: paused,
  replayWebhookDelivery: replayed,
};
