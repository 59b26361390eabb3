export default {
  title: 'Desk',
} as const;
