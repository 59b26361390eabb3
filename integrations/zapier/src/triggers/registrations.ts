import { firstPage, path, type Row } from '../api.ts';
import { type Hook, hook, SAMPLES } from '../hooks.ts';
import { readUnless } from '../read.ts';
import { registration } from '../samples.ts';

const about = (status?: string) =>
  ({
    noun: 'Registration',
    latest: (z, _bundle, event) =>
      firstPage(z, path`/events/${event}/registrations`, { order: 'newest', status, limit: SAMPLES }),
    read: (z, told) => readUnless<Row>(z, path`/events/${told.event_id}/registrations/${told.id}`, [404]),
    ...(status !== undefined && { wanted: (record) => record.status === status }),
  }) satisfies Partial<Hook>;

export const newRegistration = hook({
  ...about(),
  key: 'new_registration',
  label: 'New Registration',
  description: 'Triggers when somebody registers, whether or not the registration is confirmed already.',
  type: 'registration.created',
  sample: registration,
});

export const registrationConfirmed = hook({
  ...about('confirmed'),
  key: 'registration_confirmed',
  label: 'Registration Confirmed',
  description: 'Triggers when a registration is confirmed: at once, after approval, or when it is paid.',
  type: 'registration.confirmed',
  sample: registration,
});

export const registrationCancelled = hook({
  ...about('cancelled'),
  key: 'registration_cancelled',
  label: 'Registration Cancelled',
  description: 'Triggers when a registration is cancelled.',
  type: 'registration.cancelled',
  sample: { ...registration, status: 'cancelled', cancelled_at: '2026-11-14T09:00:00.307Z', balance_minor: -1800 },
});
