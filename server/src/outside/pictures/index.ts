import { Pictures } from './pictures.ts';

export type { MadeFile, MadePicture, PictureKind } from './order.ts';

const pictures = new Pictures();

/** The pictures that are served, made of one that was sent. `whose` is the organization: organizations take turns. */
export const makePicture = pictures.make.bind(pictures);
