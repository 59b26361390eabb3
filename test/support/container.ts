import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Program, ROOT } from './running.ts';

/** What is kept between runs: Debian, and the base image made of it. */
const CACHE = join(tmpdir(), `turnout-containers-${userInfo().uid}`);
const DEBIAN = 'bookworm';
const RUNC = join(CACHE, 'runc');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

function run(command: string, args: readonly string[], minutes = 1): string {
  return execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
/** Without a registry, a daemon and overlay file systems. */
const STORE = ['--root', join(CACHE, 'store'), '--runroot', join(CACHE, 'run'), '--storage-driver', 'vfs'];
const buildah = (minutes: number, ...args: string[]): string => run('buildah', [...STORE, ...args], minutes);

/**
 * The image that stands in for the one of a registry: Debian, made by mmdebstrap, with the pinned Node and npm. Answers its name. It is
 * made under another name and renamed when it is whole, because a run may be interrupted.
 */
function baseImage(): string {
  mkdirSync(CACHE, { recursive: true });
  const name = `localhost/turnout-base:${DEBIAN}-${process.versions.node}`;
  if (exists(name)) return name;
  const tar = join(CACHE, `debian-${DEBIAN}-${process.arch}.tar`);
  if (!existsSync(tar)) {
    const draft = `${tar}.${process.pid}.tar`;
    run('mmdebstrap', ['--quiet', '--variant=minbase', '--include=ca-certificates,libstdc++6', DEBIAN, draft], 15);
    renameSync(draft, tar);
  }
  const root = mkdtempSync(join(CACHE, 'root-'));
  try {
    run('tar', ['-C', root, '-xf', tar, '--exclude=./dev/*'], 5);
    const local = join(root, 'usr/local');
    cpSync(process.execPath, join(local, 'bin/node'));
    const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']))));
    cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    // A network that looks into TLS has an authority of its own, which this machine knows.
    if (existsSync(CERTIFICATES)) cpSync(realpathSync(CERTIFICATES), join(root, CERTIFICATES));
    const container = buildah(10, 'from', 'scratch');
    try {
      buildah(10, 'copy', '--quiet', container, root, '/');
      buildah(10, 'config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
      buildah(10, 'commit', '--quiet', container, name);
    } finally {
      buildah(10, 'rm', container);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return name;
}

function exists(image: string): boolean {
  return buildah(10, 'images', '--format', '{{.Name}}:{{.Tag}}').split('\n').includes(image);
}

export interface ImageConfig {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  Labels: Record<string, string>;
  StopSignal: string;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

/** The image of this clone, and a container of it. */
export interface Image {
  config: ImageConfig;
  /** Its files. */
  root: string;
  bytes: number;
  /** How many of them are the base's. */
  baseBytes: number;
  remove(): void;
}

/** Builds the image as its Containerfile says, on a base made here. */
export function buildImage(): Image {
  const base = baseImage();
  const name = `localhost/turnout-test:${process.pid}`;
  const npm = join(CACHE, 'npm');
  mkdirSync(npm, { recursive: true });
  const how = ['--format', 'docker', '--isolation', 'chroot', '--layers=false', '--volume', `${npm}:/root/.npm`];
  const what = [
    '--build-arg',
    `NODE_IMAGE=${base}`,
    '--build-arg',
    'REVISION=test',
    '-f',
    'Containerfile',
    '-t',
    name,
    '.',
  ];
  let container = '';
  const remove = () => {
    if (container !== '') buildah(10, 'rm', container);
    if (exists(name)) buildah(10, 'rmi', '--force', name);
  };
  try {
    buildah(30, 'build', ...how, ...what);
    const { Docker } = JSON.parse(buildah(10, 'inspect', '--type', 'image', name)) as {
      Docker: { config: ImageConfig };
    };
    container = buildah(10, 'from', '--pull-never', name);
    const root = buildah(10, 'mount', container);
    const kilobytes = (folder: string) => Number(run('du', ['-sk', folder], 5).split('\t')[0]);
    const ours = kilobytes(join(root, 'opt/turnout'));
    return {
      config: Docker.config,
      root,
      bytes: 1024 * kilobytes(root),
      baseBytes: 1024 * (kilobytes(root) - ours),
      remove,
    };
  } catch (error) {
    remove();
    throw new Error(`${(error as Error).message}\n${(error as { stderr?: string }).stderr ?? ''}`);
  }
}

/**
 * Runs a command in a container, as a container runtime does it: with the user of the image, a read-only root, a /tmp in memory, no
 * capabilities and processes of its own. It shares the network of this machine.
 */
export class Container {
  readonly id: string;
  readonly program: Program;
  readonly #folder: string;
  readonly #image: Image;

  constructor(image: Image, env: Record<string, string>, command = image.config.Cmd) {
    this.#image = image;
    this.#folder = mkdtempSync(join(CACHE, 'bundle-'));
    this.id = `turnout-test-${process.pid}-${this.#folder.slice(-6)}`;
    writeFileSync(join(this.#folder, 'config.json'), JSON.stringify(this.#bundle(env, command)));
    this.program = new Program(['runc', '--root', RUNC, 'run', '--bundle', this.#folder, this.id], {});
    void this.program.ended.then(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  #bundle(env: Record<string, string>, command: string[]) {
    const tmpfs = (destination: string, mode: string) => ({
      destination,
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'nodev', `mode=${mode}`],
    });
    return {
      ociVersion: '1.0.2',
      process: this.#process(command, env),
      root: { path: this.#image.root, readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { ...tmpfs('/dev', '755'), options: ['nosuid', 'mode=755'] },
        tmpfs('/tmp', '1777'),
      ],
      linux: { namespaces: [{ type: 'pid' }, { type: 'mount' }, { type: 'ipc' }] },
    };
  }

  #process(args: string[], env: Record<string, string>) {
    const { User, Env, WorkingDir } = this.#image.config;
    const [uid, gid] = User.split(':').map(Number);
    return {
      terminal: false,
      user: { uid, gid },
      args,
      env: [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: WorkingDir,
      noNewPrivileges: true,
      capabilities: {},
    };
  }

  /** Runs another command in it, to its end. */
  async exec(
    args: string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const file = join(this.#folder, `exec-${Date.now()}.json`);
    writeFileSync(file, JSON.stringify(this.#process(args, env)));
    const program = new Program(['runc', '--root', RUNC, 'exec', '--process', file, this.id], {});
    const { code } = await program.ended;
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  /** As a runtime stops it: the signal of the image to its first process. */
  stop(): void {
    run('runc', ['--root', RUNC, 'kill', this.id, this.#image.config.StopSignal]);
  }

  remove(): void {
    try {
      run('runc', ['--root', RUNC, 'delete', '--force', this.id]);
    } catch {
      // It has ended and is gone.
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
