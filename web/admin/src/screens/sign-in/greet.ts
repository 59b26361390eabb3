import { queries, queryOf } from '../../frame/api.ts';
import { speakAs } from '../../frame/words.ts';

/** Who is signed in now may be another person with another language: forgets what somebody else saw here before. */
export async function greet(): Promise<void> {
  queries.clear();
  try {
    const account = await queries.fetchQuery(queryOf('getAccount', {}));
    await speakAs(account);
  } catch {
    // The next screen asks again and says what is wrong.
  }
}
