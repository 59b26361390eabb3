export default {
  title: 'Payments',
} as const;
