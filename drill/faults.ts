import type { Node } from './node.ts';
import type { Stage } from './stage.ts';

/** What goes wrong, and how it is put right again while calls go on. */
export interface Fault {
  name: string;
  about: string;
  /** Whether another node becomes the primary. */
  movesPrimary: boolean;
  /** Whether imports and exports are asked for meanwhile. */
  jobs?: true;
  strike(stage: Stage, primary: Node): Promise<void>;
  heal(stage: Stage, primary: Node): Promise<void>;
}

const standbyOf = ({ nodes }: Stage, primary: Node): Node => nodes.find((node) => node !== primary)!;

export const FAULTS: readonly Fault[] = [
  {
    name: 'leader-kill',
    about: 'the machine of the primary is gone: PostgreSQL and Patroni are killed (kill -9)',
    movesPrimary: true,
    strike: (_, primary) => primary.kill(),
    heal: async (_, primary) => primary.start(),
  },
  {
    name: 'leader-stop',
    about: 'the machine of the primary freezes (SIGSTOP), and wakes up when another one is the primary',
    movesPrimary: true,
    strike: async (_, primary) => primary.freeze(),
    heal: async (_, primary) => primary.wake(),
  },
  {
    name: 'partition',
    about: 'the primary is cut off from etcd, from the standby and from HAProxy, and goes on running',
    movesPrimary: true,
    strike: async (stage, primary) => primary.cutOff(standbyOf(stage, primary)),
    heal: async (stage, primary) => primary.rejoin(standbyOf(stage, primary)),
  },
  {
    name: 'switchover',
    about: 'an operator makes the standby the primary',
    movesPrimary: true,
    strike: (stage, primary) => stage.switchOver(primary),
    heal: async () => {},
  },
  {
    name: 'standby-kill',
    about: 'the machine of the standby is gone (kill -9), and comes back',
    movesPrimary: false,
    strike: (stage, primary) => standbyOf(stage, primary).kill(),
    heal: async (stage, primary) => standbyOf(stage, primary).start(),
  },
  {
    name: 'etcd-gone',
    about: 'etcd is killed, and started again',
    movesPrimary: false,
    strike: (stage) => stage.etcd.kill(),
    heal: async (stage) => stage.etcd.start(),
  },
  {
    name: 'app-kill',
    about: 'one of the two Turnouts is killed (kill -9), and started again',
    movesPrimary: false,
    strike: (stage) => stage.turnouts[0].kill(),
    heal: async (stage) => stage.turnouts[0].start(),
  },
  {
    name: 'redis-kill',
    about: 'Redis is killed, and started again',
    movesPrimary: false,
    strike: (stage) => stage.redis.kill(),
    heal: async (stage) => stage.redis.start(),
  },
  {
    name: 'redis-stop',
    about: 'Redis freezes (SIGSTOP), and wakes up',
    movesPrimary: false,
    strike: async (stage) => stage.redis.signal('SIGSTOP'),
    heal: async (stage) => stage.redis.signal('SIGCONT'),
  },
  {
    name: 's3-gone',
    about: 'the S3 store refuses connections, and is there again',
    movesPrimary: false,
    jobs: true,
    strike: async (stage) => stage.s3!.close(),
    heal: (stage) => stage.s3!.reopen(),
  },
];
