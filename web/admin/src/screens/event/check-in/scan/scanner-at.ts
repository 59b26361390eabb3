/** Where the scanner scans in the session of this member, without being paired: at this point, or at the one that was chosen there last. */
export const scannerAt = (org: string, event: string, point?: string): string =>
  `/scan#event=${[org, event, ...(point === undefined ? [] : [point])].join('/')}`;
