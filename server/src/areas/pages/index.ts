export { Layout, type PageAssets } from './layout.ts';
export { registrationPages } from './pages.ts';
