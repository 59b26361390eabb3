export default {
  title: 'Export',
} as const;
