import { sentenceOf } from '@turnout/words/point-sentence';
import type { Manifest } from '../engine/types.ts';
import { textOf } from './answer-words.ts';
import { manifest } from './session.ts';
import { formats, t } from './words.ts';

type Named = readonly { readonly code: string; readonly name: string }[];

/** Whom a point admits and when, as the organizer's app says it. */
export function saysOf(point: Manifest['check_in_points'][number]): string {
  const event = manifest.value;
  const nameIn = (things: Named | undefined) => (code: string) =>
    textOf(things?.find((one) => one.code === code)?.name ?? code);
  return sentenceOf(point, {
    t,
    formats: formats(),
    names: {
      type: nameIn(event?.attendee_types),
      group: nameIn(event?.groups),
      product: nameIn(event?.products),
      day: nameIn(event?.days),
      point: nameIn(event?.check_in_points),
    },
  });
}
