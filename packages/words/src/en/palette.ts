export default {
  title: 'Find anything',
} as const;
