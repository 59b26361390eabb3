import { Problem } from '@turnout/client';
import { expect, test } from 'vitest';
import { asShown, overNewest } from './over-newest.ts';

const refused = (status: number) =>
  new Problem({ operation: 'changeDay', status, code: 'changed_meanwhile', message: 'Somebody else was faster.' });

/** An object that others change `times` times, each time after it was read and before it is saved. */
function contested(times: number) {
  let version = 1;
  const seen: string[] = [];
  return {
    seen,
    read: async () => ({ updated_at: String(version) }),
    save: async (newest: { updated_at: string }, { ifMatch }: { ifMatch?: string }) => {
      seen.push(newest.updated_at);
      if (version <= times) version += 1;
      if (ifMatch !== String(version)) throw refused(412);
      return 'saved';
    },
  };
}

test('what others save between the comparison and the call is compared as well', async () => {
  const object = contested(2);
  expect(await overNewest(object.read, object.save)).toBe('saved');
  expect(object.seen).toEqual(['1', '2', '3']);
});

test('it does not try for ever', async () => {
  const object = contested(100);
  await expect(overNewest(object.read, object.save)).rejects.toMatchObject({ status: 412 });
  expect(object.seen.length).toBe(5);
});

test('what the comparison itself finds is not tried again', async () => {
  let tries = 0;
  const clash = async () => {
    tries += 1;
    throw refused(409);
  };
  await expect(overNewest(async () => ({ updated_at: '1' }), clash)).rejects.toMatchObject({ status: 409 });
  expect(tries).toBe(1);
});

test('what was changed since it was shown is not deleted but fetched again; another refusal fetches nothing', async () => {
  const fetched: string[] = [];
  const remove = (status: number) =>
    asShown(
      { updated_at: '1' },
      async ({ ifMatch }) => {
        expect(ifMatch).toBe('1');
        if (status >= 400) throw refused(status);
        return status;
      },
      async () => fetched.push(String(status)),
    );
  expect(await remove(204)).toBe(204);
  await expect(remove(409)).rejects.toMatchObject({ status: 409 });
  expect(fetched).toEqual([]);
  await expect(remove(412)).rejects.toMatchObject({ status: 412 });
  expect(fetched).toEqual(['412']);
});
