export default {
  title: 'Organization',
} as const;
