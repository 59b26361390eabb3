export default {
  title: 'Team',
} as const;
