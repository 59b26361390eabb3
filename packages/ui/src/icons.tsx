import { icon } from './icon.tsx';

export const EyeIcon = icon(
  <>
    <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
    <circle cx="8" cy="8" r="2" />
  </>,
);
export const EyeOffIcon = icon(
  <path d="M2 2l12 12M6.2 3.8A6.4 6.4 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.500a12 12 0 0 1-1.9 2.300M4.2 4.900A11.7 11.7 0 0 0 1.5 8S4 12.5 8 12.500a6 6 0 0 0 3-.8" />,
);
export const CloseIcon = icon(<path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M3.5 10.500h-.500a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1h6.500a1 1 0 0 1 1 1v.5" />
  </>,
);
export const CheckIcon = icon(<path d="M3 8.500l3.3 3.300L13 5" />);
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.25" />);
export const MenuIcon = icon(<path d="M2.5 4.500h11M2.5 8h11M2.5 11.500h11" />);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.25" />
    <path d="M10.3 10.300l3.2 3.2" />
  </>,
);
export const ChevronIcon = icon(<path d="M5 6.500l3 3 3-3" />);
export const HomeIcon = icon(<path d="M2.5 7.500L8 3l5.5 4.500M4 6.500V13h8V6.5" />);
export const CalendarIcon = icon(
  <>
    <rect x="2" y="3" width="12" height="11" rx="1.5" />
    <path d="M2 6.5h12M5.25 1.5v3M10.75 1.5v3" />
  </>,
);
export const PeopleIcon = icon(
  <>
    <circle cx="6" cy="5.5" r="2.25" />
    <path d="M1.75 13c.3-2.4 1.9-3.7 4.25-3.700s3.95 1.3 4.25 3.700M10.5 3.500a2.2 2.2 0 0 1 0 4M12 9.700c1.3.5 2.1 1.6 2.3 3.3" />
  </>,
);
export const TreeIcon = icon(
  <>
    <rect x="5.75" y="2" width="4.5" height="3.5" rx="1" />
    <rect x="1.75" y="10.5" width="4.5" height="3.5" rx="1" />
    <rect x="9.75" y="10.5" width="4.5" height="3.5" rx="1" />
    <path d="M8 5.500v2.500M4 10.500V8h8v2.5" />
  </>,
);
export const CodeIcon = icon(<path d="M5.5 4.500L2 8l3.5 3.500M10.5 4.500L14 8l-3.5 3.5" />);
export const BuildingIcon = icon(
  <path d="M3 13.500V3.500a1 1 0 0 1 1-1h5a1 1 0 0 1 1 1v10M10 6.500h2a1 1 0 0 1 1 1v6M1.75 13.500h12.500M5.5 5.500h2M5.5 8h2M5.5 10.500h2" />,
);
export const PersonIcon = icon(
  <>
    <circle cx="8" cy="5.5" r="2.5" />
    <path d="M3 13.500c.4-2.6 2.2-4 5-4s4.6 1.4 5 4" />
  </>,
);
export const AlertIcon = icon(<path d="M8 5.500v3.500M8 11.300h.01M8 2l6.25 11.500H1.750L8 2Z" />);
export const KeyIcon = icon(
  <>
    <circle cx="5.25" cy="10.75" r="3" />
    <path d="M7.5 8.5L13.5 2.5M11 5l2.25 2.25M9 7l1.5 1.5" />
  </>,
);
export const MailIcon = icon(
  <>
    <rect x="1.75" y="3.5" width="12.5" height="9" rx="1.5" />
    <path d="M2.25 4.75L8 8.75l5.75-4" />
  </>,
);
export const BackIcon = icon(<path d="M9.5 4L5.500 8l4 4" />);
export const GaugeIcon = icon(
  <path d="M2.5 8.500h4.500V2.500h-4.500zM9 13.500h4.500V7.500h-4.500zM2.5 13.500h4.500v-2.500h-4.500zM9 5h4.500V2.500h-4.500z" />,
);
export const PageIcon = icon(
  <>
    <rect x="2" y="2.75" width="12" height="10.5" rx="1.5" />
    <path d="M2 6h12M4.75 8.75h4M4.75 10.750h6.500" />
  </>,
);
export const TicketIcon = icon(
  <path d="M2 6.250V4.500a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1.750a1.750 1.750 0 0 0 0 3.500v1.750a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V9.750a1.750 1.750 0 0 0 0-3.500ZM9.5 3.500v2M9.5 7.250v1.500M9.5 10.500v2" />,
);
export const ScanIcon = icon(
  <path d="M2 5V3.500A1.500 1.500 0 0 1 3.500 2H5M11 2h1.500A1.500 1.500 0 0 1 14 3.500V5M14 11v1.500a1.500 1.500 0 0 1-1.500 1.500H11M5 14H3.500A1.500 1.500 0 0 1 2 12.500V11M5 8.250l2 2L11 6" />,
);
export const CardIcon = icon(
  <>
    <rect x="1.75" y="3.25" width="12.5" height="9.5" rx="1.5" />
    <path d="M1.75 6.500h12.500M4.250 10h2.500" />
  </>,
);
export const ChartIcon = icon(<path d="M2.5 2.500v11h11M5.500 11V8.500M8.500 11V5M11.500 11V7" />);
export const SlidersIcon = icon(
  <>
    <path d="M2 4.500h6.500M12 4.500h2M2 11.500h2M7.500 11.500H14" />
    <circle cx="10.25" cy="4.5" r="1.75" />
    <circle cx="5.75" cy="11.5" r="1.75" />
  </>,
);
export const CircleIcon = icon(<circle cx="8" cy="8" r="4.5" />);
export const NextIcon = icon(<path d="M6.5 4l4 4-4 4" />);
