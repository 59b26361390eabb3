import type { Attack } from './attack.ts';
import { DRAWING_ATTACKS } from './drawing.ts';
import { FORM_ATTACKS } from './forms.ts';
import { CROWD_ATTACKS, ENDPOINT_ATTACK, SCAN_ATTACKS, STRUCTURE_ATTACK } from './products.ts';
import { REGISTERING_ATTACKS } from './registering.ts';
import { searchAttacks } from './search.ts';

export type { Attack, Ground } from './attack.ts';

/** All of them. `registrations`: how many of 200 people are searched. */
export const attacks = (registrations: number): readonly Attack[] => [
  ...FORM_ATTACKS,
  ...searchAttacks(registrations),
  ...REGISTERING_ATTACKS,
  ...DRAWING_ATTACKS,
  ...SCAN_ATTACKS,
  ENDPOINT_ATTACK,
  STRUCTURE_ATTACK,
  ...CROWD_ATTACKS,
];
