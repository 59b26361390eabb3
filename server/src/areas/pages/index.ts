export { answerAlone } from './failure-page.ts';
export { crons } from './jobs.ts';
export { Layout } from './layout.ts';
export { ownLook } from './look.ts';
export { isLinksMail, linksRenderer, queueLinks, settleLinks } from './my-links.ts';
export { operations } from './operations.ts';
export { registrationPages } from './pages.ts';
