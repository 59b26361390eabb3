/**
 * The organization's own terms in mails and on tickets. They replace ours only in English, because the texts of other languages name things
 * themselves: an organization gives its terms in one language, without the gender and case that the sentences of another would need.
 */
export const termsOf =
  (terminology: Record<string, string> = {}): ((noun: string) => string) =>
  (noun) =>
    terminology[noun] || noun;
