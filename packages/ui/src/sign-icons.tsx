import { icon } from './icon.tsx';

/** Icons of states and tools. They are not needed to sign in, so they are loaded with the screens that show them. */

export const ArchiveIcon = icon(<path d="M2.500 3h11v3h-11zM3.500 6v7h9V6M6.500 8.750h3" />);
export const BanIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M4 4l8 8" />
  </>,
);
export const BoldIcon = icon(
  <path d="M5 3h3.600a2.400 2.400 0 0 1 0 4.800H5zM5 7.800h4.300a2.600 2.600 0 0 1 0 5.200H5z" />,
);
export const BracesIcon = icon(
  <path d="M6 2.500c-1.400 0-2 .7-2 2v1.700C4 7.300 3.500 8 2.500 8c1 0 1.500.7 1.500 1.800v1.700c0 1.300.6 2 2 2M10 2.500c1.400 0 2 .7 2 2v1.700c0 1.100.5 1.800 1.500 1.800-1 0-1.500.7-1.500 1.800v1.700c0 1.300-.6 2-2 2" />,
);
export const ClockIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 4.750V8l2.250 1.500" />
  </>,
);
export const DownIcon = icon(<path d="M8 3v10M4 9l4 4 4-4" />);
export const HeadingIcon = icon(<path d="M4 3v10M12 3v10M4 8h8" />);
export const HelpIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M6.300 6.500a1.700 1.700 0 1 1 2.400 1.500c-.5.200-.7.500-.7 1M8 11h.01" />
  </>,
);
export const ItalicIcon = icon(<path d="M7 3h4.500M4.500 13H9M9.500 3l-3 10" />);
export const LeftIcon = icon(<path d="M13 8H3M7 4L3 8l4 4" />);
export const LinkIcon = icon(
  <path d="M6.500 9.500l3-3M7.500 4.500l1-1a2.800 2.800 0 0 1 4 4l-1 1M8.500 11.500l-1 1a2.800 2.800 0 0 1-4-4l1-1" />,
);
export const ListIcon = icon(<path d="M6 4h7.500M6 8h7.500M6 12h7.500M2.750 4h.01M2.750 8h.01M2.750 12h.01" />);
export const LockIcon = icon(<path d="M3.500 7h9v6.500h-9zM5.500 7V5a2.500 2.500 0 0 1 5 0v2" />);
export const MinusIcon = icon(<path d="M3.500 8h9" />);
export const PauseIcon = icon(<path d="M5.500 3.500v9M10.500 3.500v9" />);
export const PencilIcon = icon(<path d="M10.500 3L13 5.500 5.500 13H3v-2.500zM8.750 4.750l2.500 2.500" />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const ProgressIcon = icon(<path d="M8 2.500A5.500 5.500 0 1 1 2.500 8" />);
export const RepeatIcon = icon(<path d="M13 8a5 5 0 1 1-1.500-3.600M13 2.250v2.750h-2.750" />);
export const RightIcon = icon(<path d="M3 8h10M9 4l4 4-4 4" />);
export const SortIcon = icon(<path d="M5 6.500l3-3 3 3M5 9.500l3 3 3-3" />);
export const UndoIcon = icon(<path d="M5.500 3.500L2.500 6.500l3 3M2.500 6.500H10a3.250 3.250 0 0 1 0 6.500H7" />);
export const UpIcon = icon(<path d="M8 13V3M4 7l4-4 4 4" />);
