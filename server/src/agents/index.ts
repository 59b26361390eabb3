export { ADDRESS as AGENTS_ADDRESS, agentRoutes } from './routes.ts';
