import { expect, test } from 'vitest';
import { formOf } from './code-form.ts';

test.each([
  ['7Q2M-XK4P-0V9T-3B8C-D1E5-F6G7-H8JK', 'ticket'],
  ['k3vq8 z0m2d', 'registration'],
  ['https://tickets.example.org/t/7Q2M', 'link'],
  ['WIFI:S:Lakeside;T:WPA;P:secret;;', 'other'],
  ['7Q2M', 'other'],
  // Letters that our codes never have.
  ['ILOU0ILOU0', 'other'],
] as const)('%s looks like: %s', (text, form) => {
  expect(formOf(text)).toBe(form);
});
