import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../road/gate/authenticate.ts';

/** 256 random bits as 43 characters. Only their hash is stored, so whoever reads the database cannot use them. */
export const newToken = (): string => randomBytes(32).toString('base64url');
export const hashToken = hashSecret;
