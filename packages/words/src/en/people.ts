export default {
  title: 'People',
  person: 'Person',
} as const;
