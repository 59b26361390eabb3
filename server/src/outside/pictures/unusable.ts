import type { FaultRule } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { MAX_MEGAPIXELS, type Unusable } from './order.ts';

interface Reason {
  rule: FaultRule;
  message: string;
}
const REASONS: Readonly<Record<Unusable, Reason>> = {
  not_picture: {
    rule: 'not_picture',
    message:
      'is not a JPEG, PNG or WebP picture. Its content decides, not its name; save the picture in one of these formats',
  },
  too_many_pixels: {
    rule: 'too_many_pixels',
    message: `has more than ${MAX_MEGAPIXELS} million pixels. Make it smaller; 1,600 pixels of width are enough`,
  },
  damaged: {
    rule: 'picture_damaged',
    message: 'is damaged or incomplete. Save the picture once more and send the new file',
  },
  too_slow: {
    rule: 'picture_damaged',
    message: 'takes too long to read. Save the picture once more, smaller, and send the new file',
  },
};

export function refuseUnusable(unusable: Unusable): never {
  const { rule, message } = REASONS[unusable];
  const limit = unusable === 'too_many_pixels' ? { limit: MAX_MEGAPIXELS } : {};
  return refuse('validation_failed', {
    message: `The file ${message}.`,
    details: [{ path: 'file', message, rule, ...limit }],
  });
}
