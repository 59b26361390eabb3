import '@turnout/ui/tokens.css';
import '@turnout/ui/base.css';
import { applyTheme } from '@turnout/ui';
import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';
import { reportErrors } from './frame/report.ts';
import { prepareWords } from './frame/words.ts';
import { router } from './routes.ts';

applyTheme();
reportErrors();
await prepareWords();
createRoot(document.getElementById('app')!).render(<App router={router} />);
