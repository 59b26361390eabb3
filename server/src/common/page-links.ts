import { isReservedEventCode } from '@turnout/contract';
import { type Id, toUlid } from './ids.ts';

/** What decides where an organization's pages are. */
export interface PagesOf {
  org_code: string;
  page_host: string | null;
}

/** The files that are made of an uploaded picture, by what they are for. */
export const PICTURE_FILES = {
  image: '-1600.webp',
  small: '-960.webp',
  tiny: '-480.webp',
  share: '-share.jpg',
  logo: '-logo.png',
} as const;
export type PictureUse = keyof typeof PICTURE_FILES;

/** The addresses of the registration pages. They never come from the header `Host`, which whoever calls can choose. */
export class PageLinks {
  readonly #publicUrl: string;
  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  /** Where the pages of an organization are: at the root of its own host, or below `/o/{code}` of the installation. */
  pages({ org_code, page_host }: PagesOf): string {
    if (page_host === null) return `${this.#publicUrl}/o/${org_code}`;
    const at = new URL(this.#publicUrl);
    return `${at.protocol}//${page_host}${at.port === '' ? '' : `:${at.port}`}`;
  }

  /** An event whose code means something else there is reached by its id. */
  eventPage(of: PagesOf, { id, code }: { id: Id; code: string }): string {
    return `${this.pages(of)}/${isReservedEventCode(code) ? toUlid(id) : code}`;
  }

  picture(of: PagesOf, id: Id, use: PictureUse): string {
    return `${this.pages(of)}/assets/${toUlid(id)}${PICTURE_FILES[use]}`;
  }
}
