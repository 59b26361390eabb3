import { version } from '../package.json';

/** Sent with every call, so that the server can refuse a scanner that is too old. */
export const VERSION: string = version;
