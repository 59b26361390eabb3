export default {
  title: 'Reports',
} as const;
