export default {
  title: '{@Groups}',
} as const;
