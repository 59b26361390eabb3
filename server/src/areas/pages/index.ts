export { Layout, type PageAssets } from './layout.ts';
export { operations } from './operations.ts';
export { registrationPages } from './pages.ts';
