/** The code in what the camera or a scanner has read: the address that the organizer's app shows, or the code alone. Null for anything else. */
export function codeIn(text: string): string | null {
  const inAddress = /#pair=([^&]*)/.exec(text)?.[1];
  const code = inAddress === undefined ? text.trim() : decoded(inAddress);
  return code !== null && /^[\w-]{4,64}$/.test(code) ? code : null;
}

/** The event that the organizer's app opens in the session of its member: `#event=ORG/EVENT`. */
export function eventIn(hash: string): { readonly org: string; readonly event: string } | null {
  const [, org, event] = /^#event=([\w-]{1,64})\/([\w-]{1,64})$/.exec(hash) ?? [];
  return org === undefined || event === undefined ? null : { org, event };
}

/** An address can be cut off or misspelled, and then it is not encoded as addresses are. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
