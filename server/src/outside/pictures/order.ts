import type { PictureUse } from '../../common/page-links.ts';

/** What a picture is for. It decides which files are made of it. */
export type PictureKind = 'image' | 'logo';

/** What the server and the process that reads pictures say to each other. */
export const READY = 'ready';
export interface Order {
  source: Uint8Array;
  kind: PictureKind;
}
export type Outcome = MadePicture | Unusable;

export interface MadePicture {
  /** Of the largest file. */
  width: number;
  height: number;
  files: MadeFile[];
}
export interface MadeFile {
  use: PictureUse;
  type: string;
  bytes: Uint8Array;
}

/** Why nothing can be made of a file. */
export type Unusable = 'not_picture' | 'too_many_pixels' | 'damaged' | 'too_slow';

export const MAX_MEGAPIXELS = 40;
