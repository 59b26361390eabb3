import '@turnout/ui/tokens.css';
import '@turnout/ui/base.css';
import { applyTheme } from '@turnout/ui';
import { begin } from './frame/begin.tsx';
import { reportErrors } from './frame/report.ts';

applyTheme();
reportErrors();
await begin();
