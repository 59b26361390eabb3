export default {
  title: 'Contacts',
  one: 'Contact',
} as const;
