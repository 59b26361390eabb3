/** Signs, drawn with the colour of the text around them. They say nothing to a screen reader; a word always stands beside them. */
const PATHS = {
  check: 'M4 12.5l5.5 5.5L20 7',
  cross: 'M6 6l12 12M18 6L6 18',
  bang: 'M12 4v10M12 18.5v.5',
  question: 'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.5',
  back: 'M15 5l-7 7 7 7',
  on: 'M9 5l7 7-7 7',
  keys: 'M3 7h18v10H3zM7 10.5v.01M11 10.5v.01M15 10.5v.01M8 14h8',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5',
  torch: 'M8 3h8v4l-2 3v10h-4V10L8 7zM8 6h8',
  turn: 'M4 9a8 8 0 0 1 14-3l2 2M20 15a8 8 0 0 1-14 3l-2-2M20 4v4h-4M4 20v-4h4',
  more: 'M5 7h14M5 12h14M5 17h14',
  camera: 'M4 7h3l2-3h6l2 3h3v12H4zM12 9.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  net: 'M3 9a13 13 0 0 1 18 0M6 12.5a8.5 8.5 0 0 1 12 0M9 16a4.5 4.5 0 0 1 6 0M12 19.5v.01',
  noNet: 'M3 9a13 13 0 0 1 18 0M6 12.5a8.5 8.5 0 0 1 12 0M9 16a4.5 4.5 0 0 1 6 0M12 19.5v.01M4 3l16 18',
} as const;
export type IconName = keyof typeof PATHS;

export const Icon = ({ name, heavy = false }: { name: IconName; heavy?: boolean }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width={heavy ? 3 : 2}
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
