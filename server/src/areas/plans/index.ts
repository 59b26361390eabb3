export { warnOfUsage } from './warn.ts';
