export default {
  lead: 'An agent is a program with a language model that works for you: it looks things up, registers people and prepares messages. Each agent uses one of your keys.',
  allow: 'Let agents use your keys',
  allowHint:
    'An agent can do exactly what its key can, and the audit log names both. If this is off, no key works for agents.',
  on: 'Agents can now use your keys',
  off: 'Agents can no longer use your keys',
  askTitle: 'Only owners and admins can turn agents on',
  askText: 'Ask one of them if your agent says that agents are off.',
  connect: 'Connect an agent',
  connectLead:
    'Programs that support the Model Context Protocol need this address and a key. Many read both from a file like this one.',
  address: 'Address',
  configuration: 'Configuration',
  advice: 'Before you start',
  adviceKey: 'Create a key for each agent, with as few scopes as possible. Read is enough for looking things up.',
  adviceGroup: 'Limit a key to a group to show the agent nothing else.',
  adviceTest: 'Try a test key first. It changes only test {@events}.',
  adviceText:
    'Names, answers and notes are written by strangers, and an agent may take them for instructions. Make your program ask you before it changes anything.',
  createKey: 'Create key',
} as const;
