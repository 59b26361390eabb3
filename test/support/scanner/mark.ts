/** The number of a picture, as squares in its upper left corner. */
export const MARK = { bits: 12, side: 16 };
