/** The version of this app, as the server is told it. A test keeps it equal to that of package.json. */
export const VERSION = '1.0.0';
