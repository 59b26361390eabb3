/** How large an uploaded picture may be, in bytes. */
export const PICTURE_LIMIT = 10 * 1024 * 1024;
