export default {
  title: '{@Events}',
  newTitle: 'Create {@event}',
  overview: 'Overview',
  settings: 'Settings',
} as const;
