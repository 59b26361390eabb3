export { ADDRESS as AGENTS_ADDRESS, type AgentParts, agentRoutes } from './routes.ts';
