import { Secrets } from '../../server/src/common/secrets.ts';

/** The secrets of the installations that `startTest` starts. */
export const secrets = (): Secrets => new Secrets(Buffer.alloc(32, 7));
