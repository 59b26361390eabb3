export default {
  title: 'Sign in',
} as const;
