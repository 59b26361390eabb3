export default {
  title: 'Import',
  platform: 'Import from another platform',
} as const;
