import { deskScreens } from './desk.ts';
import { developerScreens } from './developers.ts';
import { doorScreens, reportScreens } from './door.ts';
import { eventScreens } from './events.ts';
import { failureScreens } from './failures.ts';
import { fileScreens } from './files.ts';
import { formScreens } from './form.ts';
import { organizationScreens } from './organization.ts';
import { peopleScreens } from './people.ts';
import type { Screen } from './screen.ts';
import { sellingScreens } from './selling.ts';
import { accountScreens, signInScreens } from './sign-in.ts';
import type { ScreensWorld } from './world.ts';

/** Every screen in every state, by what it belongs to. */
export const AREAS: Readonly<Record<string, (world: ScreensWorld) => Screen[]>> = {
  'around signing in': signInScreens,
  'of the account': accountScreens,
  'of the organization': organizationScreens,
  'of developers': developerScreens,
  'of events': eventScreens,
  'of people and registrations': peopleScreens,
  'of the desk': deskScreens,
  'of the form': formScreens,
  'of what is sold': sellingScreens,
  'of the door': doorScreens,
  'of reports': reportScreens,
  'of money, messages, files and contacts': fileScreens,
  'of failures': failureScreens,
};
