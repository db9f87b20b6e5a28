import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { findPostgres, giveNetwork, makeRunFolder, npmCache, startIn, whyNoWalk } from './lib/chroot.mjs'
import { inRoot, root } from './lib/run.mjs'

/**
 * docs/operations.md followed to the letter: its blocks marked `sh walk`, one after the other in one shell, as root on a
 * system that has this machine's programs and nothing of its data. It has a PostgreSQL of its own, and what stands in
 * for systemctl starts what the units say.
 */
const reason = whyNoWalk()
if (reason) {
  console.error(`La page ne peut pas être suivie\u00a0: ${reason}.`)
  process.exit(1)
}
const blocks = [...readFileSync(inRoot('docs/operations.md'), 'utf8').matchAll(/^```sh walk\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text,
)
if (blocks.length < 5) throw new Error('docs/operations.md n’a plus ses blocs à suivre')

const folder = makeRunFolder('voisol-walk-')
const inside = (...parts) => path.join(folder, ...parts)
const SHARED = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** The programs of this machine, and everything else as it is on a machine that nothing was installed on. */
function makeSystem() {
  const binds = []
  for (const name of SHARED.filter((one) => existsSync(`/${one}`))) {
    if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), inside(name))
    else {
      mkdirSync(inside(name))
      binds.push([`/${name}`, `/${name}`])
    }
  }
  for (const name of [
    'etc',
    'opt',
    'var/lib',
    'var/backups',
    'run',
    'root',
    'proc',
    'dev',
    'tmp',
    'source',
    'npm-cache',
    'local-bin',
    'postgresql',
  ])
    mkdirSync(inside(name), { recursive: true })
  chmodSync(inside('tmp'), 0o1777)
  for (const name of [
    'passwd',
    'group',
    'shadow',
    'gshadow',
    'login.defs',
    'nsswitch.conf',
    'pam.d',
    'security',
    'ld.so.cache',
    'alternatives',
    'localtime',
    'default',
    'gitconfig',
    'npmrc',
    'postgresql-common',
  ])
    if (existsSync(`/etc/${name}`))
      cpSync(`/etc/${name}`, inside('etc', name), { recursive: true, verbatimSymlinks: true, dereference: false })
  mkdirSync(inside('etc/systemd/system'), { recursive: true })
  const cache = npmCache()
  mkdirSync(cache, { recursive: true })
  // /usr/local/bin is the machine's own: what is installed there during the walk must not stay.
  binds.push([inside('local-bin'), '/usr/local/bin'], [cache, '/npm-cache'])
  return binds
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Programs that the walk finds first: systemctl, and those of this machine that stand in /usr/local/bin. */
function placePrograms() {
  for (const name of readdirSync('/usr/local/bin').filter((one) => /^(?:node|npm|git|curl)$/.test(one))) {
    const program = realpathSync(path.join('/usr/local/bin', name))
    // npm is a link into its own folder, beside which it finds its modules.
    if (program.startsWith('/usr/') && !program.startsWith('/usr/local/bin/'))
      symlinkSync(program, inside('local-bin', name))
    else copyFileSync(program, inside('local-bin', name))
  }
  copyFileSync(inRoot('scripts/lib/systemctl.sh'), inside('local-bin/systemctl'))
  chmodSync(inside('local-bin/systemctl'), 0o755)
}

const AUTHOR = ['-c', 'user.name=Voisol', '-c', 'user.email=voisol@exemple.fr', '-c', 'commit.gpgsign=false']

/** Where the walk clones from: a repository of one commit, with what is not committed here yet. */
function makeSource() {
  const git = (args, options) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2, ...options })
  const source = inside('source')
  const files = git(['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root }).split('\0')
  for (const file of files.filter((one) => one && existsSync(inRoot(one))))
    cpSync(inRoot(file), path.join(source, file))
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...AUTHOR, 'commit', '-qm', 'source'],
  ])
    git(args, { cwd: source })
}

/** A commit is published before the page pulls it; the service must run that commit at the end of the block. */
const PUBLISH = `git -C /source ${AUTHOR.join(' ')} commit -q --allow-empty -m suivante`
const REQUIRE_PUBLISHED = `curl -s "http://127.0.0.1:$PORT/healthz" | grep "$(git -C /source rev-parse --short=12 HEAD)"`
const addPublication = (text) => (text.includes('git pull') ? `${PUBLISH}\n${text}${REQUIRE_PUBLISHED}\n` : text)

/** A PostgreSQL as Debian sets it up: who is postgres needs no password on the socket, others give theirs. */
const postgres = (bin, port) => `
install -d -o postgres -g postgres -m 755 /run/postgresql /postgresql
runuser -u postgres -- ${bin}/initdb --no-sync -D /postgresql/data -E UTF8 --locale=C.UTF-8 --auth-local=peer --auth-host=scram-sha-256 >/dev/null
runuser -u postgres -- ${bin}/pg_ctl -D /postgresql/data -w -l /postgresql/log -o "-c listen_addresses=127.0.0.1 -p ${port} -k /run/postgresql -c fsync=off" start >/dev/null || { cat /postgresql/log; exit 1; }
`

const leave = (bin) => `
leave() {
  code=$?
  systemctl stop voisol || true
  [ $code -eq 0 ] || cat /run/voisol.log || true
  runuser -u postgres -- ${bin}/pg_ctl -D /postgresql/data -m immediate stop >/dev/null || true
  exit $code
}
trap leave EXIT
`

async function walk() {
  const binds = makeSystem()
  makeSource()
  placePrograms()
  const env = giveNetwork(folder)
  const bin = findPostgres()
  const [port, http] = [await freePort(), await freePort()]
  const announcedBlocks = blocks.map(
    (text, index) => `echo "--- bloc ${index + 1} ($SECONDS s)"\n${addPublication(text)}`,
  )
  const script = [
    'set -eu',
    postgres(bin, port),
    leave(bin),
    'set -x',
    ...announcedBlocks,
    'set +x',
    'echo "--- fin ($SECONDS s)"',
  ].join('\n')
  writeFileSync(inside('walk.sh'), script)
  const child = startIn(folder, {
    command: ['/bin/bash', '/walk.sh'],
    env: {
      ...env,
      HOME: '/root',
      LANG: 'C.UTF-8',
      npm_config_cache: '/npm-cache',
      PGHOST: '/run/postgresql',
      PGPORT: String(port),
      PORT: String(http),
      VOISOL_SOURCE: '/source',
      PUBLIC_URL: 'https://energie.exemple.fr',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    binds,
  })
  return new Promise((resolve) => child.once('close', resolve))
}

process.exit((await walk()) ?? 1)
