import { hash } from 'node:crypto';

/** In hex: as bytes it takes three times as long, as an object that is fed and then asked five times (0.3, 1.2, 1.7 µs [m]). */
export const sha256 = (content: string | Buffer): string => hash('sha256', content, 'hex');
