import { describe, expect, test } from 'vitest';
import { accentOf, contrast } from './accent.ts';

test('contrast is that of WCAG 2', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
});

describe('whatever colour an organization chooses', () => {
  const COLOURS = [
    '#ffe14d',
    '#ffffff',
    '#000000',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#808080',
    '#0b6e66',
    '#101060',
    '#f0abfc',
  ];
  // The backgrounds that text in the accent's colour stands on, and the text that stands on the accent (colours.css).
  test.each(COLOURS)('%s can be read on light and on dark paper, and so can the text on it', (colour) => {
    const { light, dark } = accentOf(colour);
    for (const paper of ['#ffffff', '#f6f8f9', '#eef1f3'])
      expect(contrast(light, paper), paper).toBeGreaterThanOrEqual(4.5);
    for (const paper of ['#14191e', '#1b2228', '#1f272e', '#252e36'])
      expect(contrast(dark, paper), paper).toBeGreaterThanOrEqual(4.5);
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#10161b')).toBeGreaterThanOrEqual(4.5);
  });

  test('one that can be read already stays as it is', () => {
    expect(accentOf('#0b6e66').light).toBe('#0b6e66');
    expect(accentOf('#5cc8bd').dark).toBe('#5cc8bd');
  });
});
