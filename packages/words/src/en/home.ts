export default {
  title: 'Home',
} as const;
