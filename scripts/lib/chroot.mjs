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
export const whyNoChroot = () => whyNot(['debootstrap', 'chroot', 'unshare', 'tar'])
/** The same of one that has this machine's programs. */
export const whyNoWalk = () =>
  whyNot(['chroot', 'unshare', 'runuser', 'setpriv', 'useradd', 'git', 'curl', 'openssl', 'npm']) ??
  (existsSync('/usr/lib/postgresql') ? undefined : 'il manque le PostgreSQL de Debian')

function whyNot(commands) {
  if (process.platform !== 'linux') return 'ce n’est pas un Linux'
  if (process.getuid?.() !== 0) return 'il faut être root'
  const missing = commands.filter((command) => !has(command))
  if (missing.length) return `il manque ${missing.join(', ')}`
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'les montages sont refusés'
  }
}

/** Where this machine takes its packages from, and with which keys it checks them. */
function readAptSource() {
  const folder = path.join(APT, 'sources.list.d')
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []
  for (const file of [...lists, path.join(APT, 'sources.list')].filter((one) => /\.(sources|list)$/.test(one))) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const [, mirror] =
      /^URIs:\s*(https?:\S+\/debian\/?)\s*$/m.exec(text) ??
      /^deb\s+(?:\[.*\]\s+)?(https?:\S+\/debian\/?)\s/m.exec(text) ??
      []
    if (mirror) return { mirror, keyring: /^Signed-By:\s*(\/\S+)/m.exec(text)?.[1] }
  }
  return {}
}

/** A minimal Debian as an archive, kept for the next time: making one takes a minute, unpacking it three seconds. */
function ensureArchive(suite) {
  const archive = path.join(CACHE, `${[suite, process.arch, ...PACKAGES].join('_')}.tar`)
  if (existsSync(archive)) return archive
  const { mirror, keyring } = readAptSource()
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
  execFileSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(path.join(folder, 'var/cache/apt'), { recursive: true })
  execFileSync('tar', ['-C', folder, '-cf', `${folder}.tar`, '.'])
  renameSync(`${folder}.tar`, archive)
  rmSync(folder, { recursive: true })
  return archive
}

/** As the official image of Node begins: Debian, node and npm under /usr/local, and the account node of number 1000. */
export function makeRoot(folder, suite) {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-C', folder, '-xf', ensureArchive(suite)])
  const node = path.join(folder, 'usr/local/bin/node')
  copyFileSync(currentNode(), node)
  const npm = path.resolve(realpathSync(capture('sh', ['-c', 'command -v npm'], { env: ofTheMachine() })), '../..')
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
    writeFileSync(path.join(folder, target), existsSync(file) ? readFileSync(file) : '')
    env[`npm_config_${scope}config`] = target
  }
  return env
}

export const npmCache = () => capture('npm', ['config', 'get', 'cache'], { env: ofTheMachine() })

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
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], { stdio })
}

/** The same, to its end; fails where the command does. */
export async function runIn(folder, options) {
  const child = startIn(folder, options)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`« ${options.command.join(' ')} » a rendu ${code}`)
}
