export default {
  title: 'Developers',
} as const;
