import type { Command } from './command.ts';

const organizations = async () => (await import('./organizations.ts')).organizationCommands;
const hosts = async () => (await import('./hosts.ts')).hostCommands;
const members = async () => (await import('./members.ts')).memberCommands;
const installation = async () => (await import('./installation.ts')).installationCommands;
const platforms = async () => (await import('./platform.ts')).platformCommands();

/** Where the commands that begin with this word are. */
const BY_WORD = new Map([
  ['org', organizations],
  ['key', organizations],
  ['host', hosts],
  ['member', members],
  ['platform', platforms],
]);

export const allCommands = async (): Promise<Command[]> =>
  (await Promise.all([organizations(), hosts(), members(), installation(), platforms()])).flat();

/** The commands among which the one that begins with this word is. Only their code is loaded, so that they start in half the time. */
export const commandsFor = (word: string): Promise<Command[]> => (BY_WORD.get(word) ?? installation)();
