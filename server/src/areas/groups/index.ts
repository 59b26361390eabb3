export { aGroup, createGroup } from './groups.ts';
export { operations } from './operations.ts';
export { aboveReach, findGroup, type GroupRow, inReach } from './queries.ts';
