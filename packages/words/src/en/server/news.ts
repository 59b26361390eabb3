/** What stands around the messages of organizers, and the page on which somebody unsubscribes. */
export default {
  test: 'This is a test. Only you and whoever else was named received it.',
  unsubscribe: 'Unsubscribe',
  ask: 'No more news from {organization}?',
  explain: 'Mails about events that you are registered for still reach you.',
  done: 'You get no more news from {organization}.',
  again: 'I want to get news again',
  welcome: 'You get news from {organization} again.',
} as const;
