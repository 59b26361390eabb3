import { afterAll, beforeAll } from 'vitest';
import { runMatrix } from './support/matrix/run.ts';
import { World } from './support/matrix/world.ts';

/** The access matrix of the admin app (access-matrix.test.ts explains it). It is a file of its own so that the two run at the same time. */
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

runMatrix('member', () => world);
