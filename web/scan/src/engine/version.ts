/** The beginning of the hash of all that this app was built of (web/scan/vite.config.ts); missing where it is not built, as in tests. */
declare const __BUILD__: string | undefined;

/** What the server decides by whether this app may still scan. A test keeps it equal to that of package.json. */
const PACKAGE = '1.1.0';

/** The version of this app, which every request sends to the server, and by which organizers see whether a device is up to date. */
export const VERSION = typeof __BUILD__ === 'undefined' ? PACKAGE : `${PACKAGE}+${__BUILD__}`;
