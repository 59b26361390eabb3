export default {
  title: 'Create your organization',
} as const;
