export { warnOwners } from './warn.ts';
