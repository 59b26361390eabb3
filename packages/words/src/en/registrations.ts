export default {
  title: '{@Registrations}',
  one: '{@Registration}',
  newTitle: 'Add people',
} as const;
