import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMirror, parseProxies } from './apt-source.mjs'
import { currentNode } from './run.mjs'

const CACHE = '/var/cache/voisol'
/** What the official slim image adds to Debian for Node, and certificates for its build. */
const PACKAGES = ['ca-certificates', 'libatomic1']
const APT = '/etc/apt'

const capture = (command, args, options) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options }).trim()
const has = (command) => {
  try {
    return Boolean(execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'pipe' }))
  } catch {
    return false
  }
}

/** Why no system of its own can be made here; undefined where it can. */
export const whyNoChroot = () =>
  whyNot(['debootstrap', 'chroot', 'unshare', 'tar']) ??
  (findNpm() ? undefined : 'il manque un npm avec ses modules (npm install --global npm)')
/** The same of one that has this machine's programs. */
export const whyNoWalk = () =>
  whyNot(['chroot', 'unshare', 'runuser', 'setpriv', 'useradd', 'git', 'curl', 'openssl', 'npm']) ??
  (findPostgres() ? undefined : 'il manque le PostgreSQL de Debian')

const POSTGRES = '/usr/lib/postgresql'
/** The programs of the newest PostgreSQL server of Debian; a client alone is in the same place. */
export function findPostgres() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((one) => path.join(POSTGRES, one, 'bin')).find((bin) => existsSync(path.join(bin, 'initdb')))
}

/** The folder of an npm that has its modules in it: that of Debian has them elsewhere, for Debian's own Node. */
function findNpm() {
  const found = capture('bash', ['-c', 'type -ap npm || true'], { env: ofTheMachine() }).split('\n').filter(Boolean)
  return found
    .map((file) => path.resolve(realpathSync(file), '../..'))
    .find((folder) => existsSync(path.join(folder, 'node_modules')))
}

function whyNot(commands) {
  if (process.platform !== 'linux') return 'ce n’est pas un Linux'
  if (process.getuid?.() !== 0) return 'il faut être root'
  const missing = commands.filter((command) => !has(command))
  if (missing.length) return `il manque ${missing.join(', ')}`
  try {
    const probe = 'mount --rbind /proc /tmp && exec chroot / true'
    execFileSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', probe], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'les montages sont refusés'
  }
}

/** Where this machine takes its packages from, and with which keys it checks them. */
function readAptSource(suite) {
  const folder = path.join(APT, 'sources.list.d')
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []
  const files = [...lists, path.join(APT, 'sources.list')].filter(
    (one) => /\.(sources|list)$/.test(one) && existsSync(one),
  )
  return findMirror(
    files.map((file) => readFileSync(file, 'utf8')),
    suite,
  )
}

const PROXIES = ['http_proxy', 'Acquire::http::Proxy', 'https_proxy', 'Acquire::https::Proxy']
const readAptProxies = () => (has('apt-config') ? parseProxies(capture('apt-config', ['shell', ...PROXIES])) : {})

/** A minimal Debian as an archive, kept for the next time: making one takes a minute, unpacking it three seconds. */
function ensureArchive(suite) {
  const archive = path.join(CACHE, `${[suite, process.arch, ...PACKAGES].join('_')}.tar`)
  if (existsSync(archive)) return archive
  const { mirror, keyring } = readAptSource(suite)
  const folder = `${archive}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  const args = [
    '--variant=minbase',
    `--include=${PACKAGES.join()}`,
    ...(keyring ? [`--keyring=${keyring}`] : []),
    suite,
    folder,
    ...(mirror ? [mirror] : []),
  ]
  try {
    const env = { ...readAptProxies(), ...process.env }
    execFileSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
    rmSync(path.join(folder, 'var/cache/apt'), { recursive: true })
    execFileSync('tar', ['-C', folder, '-cf', `${folder}.tar`, '.'])
    renameSync(`${folder}.tar`, archive)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.tar`, { force: true })
  }
  return archive
}

/** As the official image of Node begins: Debian, node and npm under /usr/local, and the account node of number 1000. */
export function makeRoot(folder, suite) {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-C', folder, '-xf', ensureArchive(suite)])
  const node = path.join(folder, 'usr/local/bin/node')
  copyFileSync(currentNode(), node)
  const npm = findNpm()
  if (!npm) throw new Error('Aucun npm avec ses modules')
  mkdirSync(path.join(folder, 'usr/local/lib/node_modules'), { recursive: true })
  execFileSync('cp', ['-rL', npm, path.join(folder, 'usr/local/lib/node_modules/npm')])
  const link = 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm'
  const account = 'groupadd -g 1000 node && useradd -u 1000 -g 1000 -m node'
  execFileSync('chroot', [folder, '/bin/sh', '-c', `chmod 755 /usr/local/bin/node && ${link} && ${account}`])
}

/** As a shell of this machine: `npm test` tells its children where npm is to look, and brings another Node. */
const ofTheMachine = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
})

const ITS_OWN = /prefix|cache|config$|init_module|node_gyp|user_agent|npm_version/
/** How this machine reaches its registry: what its npm reads, its certificates and its proxies, given to a build and kept by none. */
export function giveNetwork(folder) {
  for (const name of ['resolv.conf', 'hosts'])
    if (existsSync(`/etc/${name}`)) copyFileSync(`/etc/${name}`, path.join(folder, 'etc', name))
  if (existsSync('/etc/ssl/certs')) {
    rmSync(path.join(folder, 'etc/ssl/certs'), { recursive: true, force: true })
    mkdirSync(path.join(folder, 'etc/ssl'), { recursive: true })
    execFileSync('cp', ['-rL', '/etc/ssl/certs', path.join(folder, 'etc/ssl/certs')])
  }
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        /^(?:(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i.test(name) ||
        (/^npm_config_/i.test(name) && !ITS_OWN.test(name)),
    ),
  )
  for (const scope of ['user', 'global']) {
    const file = capture('npm', ['config', 'get', `${scope}config`], { env: ofTheMachine() })
    const target = `/root/npmrc-${scope}`
    writeFileSync(path.join(folder, target), existsSync(file) ? readFileSync(file) : '', { mode: 0o600 })
    env[`npm_config_${scope}config`] = target
  }
  return env
}

export const npmCache = () => capture('npm', ['config', 'get', 'cache'], { env: ofTheMachine() })

const running = new Set()
const STOP_MS = 45_000
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
const PLACE = '/var/tmp'

/** Ends what this process started inside, with all that it started itself, and waits for it. */
async function endAll() {
  const send = (signal) => {
    for (const { pid } of running)
      try {
        process.kill(-pid, signal)
      } catch {
        // It has ended by itself meanwhile.
      }
  }
  send('SIGTERM')
  const end = Date.now() + STOP_MS
  while (running.size && Date.now() < end) await sleep(100)
  send('SIGKILL')
}

/**
 * A folder of this run alone, which goes with it, however it ends: it holds what this machine shows its registry. What a
 * killed run left is removed as well.
 */
export function makeRunFolder(name) {
  const isLeft = (one) => one.startsWith(name) && /^\d+$/.test(one.slice(name.length))
  for (const one of readdirSync(PLACE).filter(isLeft))
    if (!existsSync(`/proc/${one.slice(name.length)}`)) rmSync(path.join(PLACE, one), { recursive: true, force: true })
  const folder = path.join(PLACE, `${name}${process.pid}`)
  mkdirSync(folder, { mode: 0o755 })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const [signal, number] of Object.entries(SIGNALS))
    process.once(signal, () => endAll().then(() => process.exit(128 + number)))
  return folder
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Starts a command inside, with /proc, /dev and what is bound mounted for as long as it runs; the process is the command
 * itself, so that signals reach it. `binds` are [outside, inside] pairs.
 */
export function startIn(folder, { command, env, cwd = '/', user = '0:0', binds = [], stdio = 'inherit' }) {
  const mounts = [['/proc', '/proc'], ['/dev', '/dev'], ...binds].map(
    ([from, to]) => `mount --rbind ${quote(from)} ${quote(path.join(folder, to))}`,
  )
  const pairs = Object.entries({ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env })
  const inside = [
    '/usr/bin/env',
    '-i',
    `--chdir=${cwd}`,
    ...pairs.map(([name, value]) => `${name}=${value}`),
    ...command,
  ]
  const script = [...mounts, `exec chroot --userspec=${user} ${quote(folder)} ${inside.map(quote).join(' ')}`].join(
    ' && ',
  )
  // A group of its own: a signal ends what the command started too, which would write on into a folder that goes.
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], { stdio, detached: true })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** The same, to its end; fails where the command does. */
export async function runIn(folder, options) {
  const child = startIn(folder, options)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`« ${options.command.join(' ')} » a rendu ${code}`)
}
