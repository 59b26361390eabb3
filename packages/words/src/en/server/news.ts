/** What stands around the messages of organizers, and the page on which somebody unsubscribes. */
export default {
  test: 'This is a test. Only you and the other test addresses received it.',
  unsubscribe: 'Unsubscribe',
  ask: 'Unsubscribe from {organization}?',
  explain: 'You won’t get news any more. E-mails about events you’re registered for still reach you.',
  done: 'You’re unsubscribed. {organization} won’t send you news any more.',
  again: 'Subscribe again',
  welcome: 'You’re subscribed again to news from {organization}.',
} as const;
