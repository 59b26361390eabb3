export default {
  skip: 'Skip to the content',
  imprint: 'Imprint',
  privacy: 'Privacy',
  findMine: 'Find my {@registration}',
  languages: 'Language',
  missingTitle: 'There is nothing here',
  missingText: 'The address may be misspelled, or what was here is over.',
  failedTitle: 'That did not work',
  allEvents: 'All {@events}',
} as const;
