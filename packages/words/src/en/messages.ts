export default {
  title: 'Messages',
  newTitle: 'New message',
  one: 'Message',
} as const;
