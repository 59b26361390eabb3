/** The code in what the camera or a scanner has read: the address that the organizer's app shows, or the code alone. Null for anything else. */
export function codeIn(text: string): string | null {
  const inAddress = /#pair=([^&]*)/.exec(text)?.[1];
  const code = inAddress === undefined ? text.trim() : decoded(inAddress);
  return code !== null && /^[\w-]{4,64}$/.test(code) ? code : null;
}

/** An event that the organizer's app opens in the session of its member, and where in it. */
export interface AskedEvent {
  readonly org: string;
  readonly event: string;
  /** Null: as it was chosen here before, or to be asked. */
  readonly point: string | null;
}

/** `#event=ORG/EVENT` or `#event=ORG/EVENT/POINT`. */
export function eventIn(hash: string): AskedEvent | null {
  const [, org, event, point] = /^#event=([\w-]{1,64})\/([\w-]{1,64})(?:\/([\w-]{1,64}))?$/.exec(hash) ?? [];
  return org === undefined || event === undefined ? null : { org, event, point: point ?? null };
}

/** An address can be cut off or misspelled, and then it is not encoded as addresses are. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
