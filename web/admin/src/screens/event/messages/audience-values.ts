import type { Audience, AudienceInput } from '@turnout/client';

type Status = Audience['statuses'][number];

/** An audience as the fields have it: nothing chosen means everybody. */
export interface AudienceValues {
  attendee_types: string[];
  days: string[];
  groups: string[];
  statuses: Status[];
  checked_in: 'any' | 'yes' | 'no';
}

export const audienceValues = (audience?: Audience): AudienceValues => ({
  attendee_types: audience?.attendee_types ?? [],
  days: audience?.days ?? [],
  groups: audience?.groups ?? [],
  statuses: audience?.statuses ?? ['confirmed'],
  checked_in: audience?.checked_in == null ? 'any' : audience.checked_in ? 'yes' : 'no',
});

const someOf = (list: string[]): string[] | null => (list.length === 0 ? null : list);
export const audienceInput = (values: AudienceValues): AudienceInput => ({
  attendee_types: someOf(values.attendee_types),
  days: someOf(values.days),
  groups: someOf(values.groups),
  statuses: values.statuses.length === 0 ? ['confirmed'] : values.statuses,
  checked_in: values.checked_in === 'any' ? null : values.checked_in === 'yes',
});
