/** The page about migrations: which of them need the older processes to be stopped, and why. */
export async function migrationsPage() {
  const { migrations } = await import('../server/src/store/migrate.ts');
  const { NEEDS_STOP } = await import('../server/src/store/narrowing.ts');
  const rows = migrations().map(({ name, text }) => {
    const why = NEEDS_STOP[name];
    return `| \`${name}\` | ${firstSentence(text)} | ${why === undefined ? '' : `**yes**: ${why}`} |`;
  });
  return `# Migrations

Made by \`npm run generate\` from \`server/src/store/migrations\` and \`server/src/store/narrowing.ts\`. How to upgrade is
[on a page of its own](../operating/upgrading.md).

| migration | what it is for | stop older processes before it |
|---|---|---|
${rows.join('\n')}
`;
}

/** Of the comment with which the file begins. */
function firstSentence(text) {
  const lines = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) break;
    lines.push(line.replace(/^-- ?-*/, '').trim());
  }
  const [sentence = ''] = lines.join(' ').split(/(?<=\.)\s/);
  return sentence.replaceAll('|', '\\|');
}
