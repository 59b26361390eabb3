import type en from '../en/my.ts';
import type { Translated } from '../message.ts';

export default {} as const satisfies Translated<typeof en>;
