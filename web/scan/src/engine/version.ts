/** The version of this app, which every request sends to the server. A test keeps it equal to that of package.json. */
export const VERSION = '1.0.0';
