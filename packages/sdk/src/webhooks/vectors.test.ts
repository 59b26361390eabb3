import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf, checkPublished, publishedVectors, vectorsAt } from './vectors.support.ts';

const vectors = publishedVectors();

test('webhook-vectors.json is what its script writes', () => checkPublished());

test('the script signs the same vectors for another moment', () => {
  const moved = vectorsAt(vectors[0]!.now + 1000);
  expect(moved.map(({ name, valid, error }) => ({ name, valid, error }))).toEqual(
    vectors.map(({ name, valid, error }) => ({ name, valid, error })),
  );
  expect(moved.map(({ t }) => t)).toEqual(vectors.map(({ t }) => t + 1000));
  expect(moved[0]!.header).not.toBe(vectors[0]!.header);
});

describe('the Standard Webhooks library', () => {
  const accepted = vectors.filter(({ valid }) => valid);
  beforeEach(() => void vi.useFakeTimers({ now: vectors[0]!.now * 1000, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test.each(accepted)('accepts the headers of the standard: $name', (vector) => {
    const { id, headers } = vector.standard!;
    expect(headers['webhook-id']).toBe(id);
    expect(new Webhook(vector.secret).verify(bodyOf(vector), headers)).toEqual(JSON.parse(vector.body_text));
  });

  test.each(accepted)('refuses them if the body has one more byte: $name', (vector) => {
    const changed = Buffer.concat([bodyOf(vector), Buffer.from(' ')]);
    expect(() => new Webhook(vector.secret).verify(changed, vector.standard!.headers)).toThrow('No matching signature');
  });
});
