/** Tickets as PDF. */
export default {
  ticket: '{@Ticket}',
  people: { one: '{@Attendee}', other: '{@Attendees}' },
  days: { one: 'Valid on', other: 'Valid on' },
  registration: '{@Registration}',
  terms: 'Terms',
  test: 'Test',
  testNote: 'Not valid for admission',
  hint: 'Have this code ready at the entrance, printed or on your screen.',
  more: 'and {more} more',
} as const;
