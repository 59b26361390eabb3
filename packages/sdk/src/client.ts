import { Caller } from './caller.ts';
import { Resources } from './generated/all.ts';
import { settingsOf, type TurnoutOptions } from './settings.ts';

/**
 * A client of the API: `new Turnout({ key, baseUrl })`. It has a field for each resource, such as `turnout.registrations`. It keeps
 * nothing between calls, so one client serves a whole program.
 */
export class Turnout extends Resources {
  constructor(options: TurnoutOptions) {
    super(new Caller(settingsOf(options)));
  }
}
