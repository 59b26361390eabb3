import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what must be readable again and signs links, with keys derived from the secret of the installation. */
export class Secrets {
  readonly #encryption: Buffer;
  readonly #signing: Buffer;
  constructor(master: Buffer) {
    if (master.length < 32) throw new Error('the secret key must have at least 32 bytes');
    this.#encryption = Buffer.from(hkdfSync('sha256', master, '', 'turnout encryption', 32));
    this.#signing = Buffer.from(hkdfSync('sha256', master, '', 'turnout signing', 32));
  }

  encrypt(plain: Buffer): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, iv);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  decrypt(sealed: Buffer): Buffer {
    if (sealed.length < 28) throw new Error('this was not encrypted here');
    const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  }

  sign(text: string): Buffer {
    return createHmac('sha256', this.#signing).update(text).digest();
  }
}
