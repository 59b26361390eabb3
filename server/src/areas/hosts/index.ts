export { crons } from './jobs.ts';
export { KnownHosts } from './known-hosts.ts';
export { operations } from './operations.ts';
export { acrossOrganizationsDropHost, acrossOrganizationsHosts, acrossOrganizationsProveHost } from './operator.ts';
export { tenantHostPages } from './pages.ts';
