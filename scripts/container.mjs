import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { giveNetwork, makeRoot, makeRunFolder, npmCache, runIn, startIn, whyNoChroot } from './lib/chroot.mjs'
import { listBuildContext, parseCopy, parseDockerfile, parsePairs, substitute } from './lib/dockerfile.mjs'
import { inRoot, root } from './lib/run.mjs'

/**
 * What the Dockerfile says, done instruction by instruction in a bare Debian, then started as its own account and asked
 * whether it is ready. No container engine is needed. What this does not prove: the images that it begins from (their
 * Debian is made by debootstrap, their Node is this machine's), layers, volumes and networks of an engine.
 */
const START_MS = 300_000
const STOP_MS = 35_000
const began = Date.now()
const tell = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`)

const ignoreText = readFileSync(inRoot('.dockerignore'), 'utf8')
const stages = parseDockerfile(readFileSync(inRoot('Dockerfile'), 'utf8'))
const SUITE = /^node:[\d.]+-(\w+)-slim$/

const reason = whyNoChroot()
if (reason) {
  console.error(`Le Dockerfile ne peut pas être rejoué\u00a0: ${reason}.`)
  process.exit(1)
}
const folder = makeRunFolder('voisol-container-')
/** What must not reach the image, beside the folder itself: whoever builds it has them there. */
const PLANTED = [
  '.env',
  'voisol.env',
  'compose.override.yaml',
  'dump.sql',
  'secrets/backup-key',
  'apps/server/.env.production',
  'apps/server/data/files/1/abc',
  'apps/server/src/prod.env',
  'apps/web/public/privkey.pem',
  'data/secret.key',
  'copies/copies/voisol-1.json',
  'sauvegardes/copies/voisol-1.json',
  'packages/money/src/base.dump',
]
const planted = path.join(folder, 'planted')
for (const file of PLANTED) {
  mkdirSync(path.join(planted, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(planted, file), 'secret')
}

/** The build context: what .dockerignore leaves of the folder, and of what is planted in it. */
const CONTEXT = [root, planted].map((context) => ({ context, files: listBuildContext(context, ignoreText) }))

function copyContext(source, target) {
  const below = source === '.' ? '' : source
  for (const { context, files } of CONTEXT)
    for (const file of files) {
      const rest = path.relative(below, file)
      if (rest.startsWith('..')) continue
      const to = path.join(target, rest)
      mkdirSync(path.dirname(to), { recursive: true })
      cpSync(path.join(context, file), to, { verbatimSymlinks: true })
    }
}

const numberOf = (folder, account) =>
  Number(new RegExp(`^${account}:[^:]*:(\\d+):`, 'm').exec(readFileSync(path.join(folder, 'etc/passwd'), 'utf8'))?.[1])

function chownAll(file, owner) {
  chownSync(file, owner, owner)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    for (const entry of readdirSync(file, { withFileTypes: true }))
      if (!entry.isSymbolicLink()) chownAll(path.join(file, entry.name), owner)
}

/** One function per instruction; an instruction that is not here is a mistake, so that none is passed over. */
const INSTRUCTIONS = {
  ARG: (image, text) => {
    const [name, preset = ''] = text.split('=')
    image.args[name] = process.env[name] ?? preset
  },
  ENV: (image, text) => Object.assign(image.env, parsePairs(substitute(text, { ...image.args, ...image.env }))),
  WORKDIR: (image, text) => {
    image.cwd = text
    mkdirSync(path.join(image.folder, text), { recursive: true })
  },
  USER: (image, text) => {
    const number = numberOf(image.folder, text)
    image.user = `${number}:${number}`
  },
  COPY: async (image, text, images) => {
    const { flags, sources, target } = parseCopy(text)
    const inside = path.join(image.folder, path.resolve(image.cwd, target))
    if (sources.length > 1 || target.endsWith('/')) mkdirSync(inside, { recursive: true })
    for (const source of sources) {
      const place = statSync(inside, { throwIfNoEntry: false })?.isDirectory() && source !== '.' && !flags.from
      const to = place ? path.join(inside, path.basename(source)) : inside
      if (flags.from)
        cpSync(path.join(images[flags.from].folder, source), to, { recursive: true, verbatimSymlinks: true })
      else copyContext(source, to)
    }
    if (flags.chown) chownAll(inside, numberOf(image.folder, flags.chown.split(':')[0]))
  },
  RUN: (image, text) =>
    runIn(image.folder, {
      command: ['/bin/sh', '-c', text],
      env: { HOME: '/root', ...image.network, ...image.args, ...image.env },
      cwd: image.cwd,
      user: image.user,
      binds: image.cache ? [[image.cache, '/npm-cache']] : [],
    }),
  VOLUME: () => {},
  EXPOSE: () => {},
  HEALTHCHECK: (image, text) => {
    image.healthcheck = text.slice(text.indexOf('CMD ') + 4)
  },
  CMD: (image, text) => {
    image.command = JSON.parse(text)
  },
}

async function buildStage(stage, folder, images) {
  const [, suite] = SUITE.exec(stage.image) ?? []
  if (!suite) throw new Error(`Image de départ inconnue\u00a0: ${stage.image}`)
  makeRoot(folder, suite)
  const image = { folder, env: {}, args: {}, cwd: '/', user: '0:0', network: {} }
  // Only what is thrown away with its stage is told how this machine reaches its registry.
  if (stage.name) {
    image.cache = npmCache()
    mkdirSync(image.cache, { recursive: true })
    mkdirSync(path.join(folder, 'npm-cache'))
    image.network = { ...giveNetwork(folder), npm_config_cache: '/npm-cache' }
  }
  for (const { name, text } of stage.instructions) {
    tell(`${name} ${text.slice(0, 100)}`)
    if (!INSTRUCTIONS[name]) throw new Error(`Instruction inconnue\u00a0: ${name}`)
    await INSTRUCTIONS[name](image, text, images)
  }
  return image
}

async function build(folder) {
  const images = {}
  let last
  for (const [index, stage] of stages.entries()) {
    last = await buildStage(stage, path.join(folder, String(index)), images)
    if (stage.name) images[stage.name] = last
  }
  return last
}

function requireCleanImage({ folder }) {
  const app = path.join(folder, 'app')
  const unwanted = [...PLANTED, '.git', 'node_modules/vitest', 'node_modules/typescript'].filter((name) =>
    existsSync(path.join(app, name)),
  )
  if (unwanted.length) throw new Error(`L’image contient ${unwanted.join(', ')}`)
  const owned = (file) => statSync(path.join(folder, file)).uid
  if (owned('app/apps/server/src/main.ts') !== 0) throw new Error('Le service peut changer son programme')
  if ([owned('data'), owned('copies')].includes(0)) throw new Error('Le service ne peut pas écrire ses données')
  if (!existsSync(path.join(app, 'apps/web/build'))) throw new Error('L’image n’a pas les pages construites')
}

const SOCKETS = '/run/postgresql'
/** A database of its own on the PostgreSQL of the tests, and a role that owns nothing; the one that Voisol brings where there is none. */
async function openDatabase({ folder }) {
  const given = process.env.TEST_DATABASE_URL
  if (!given) return { env: { EMBEDDED_DB: 'allow' }, binds: [], close: async () => {} }
  const admin = new pg.Client({ connectionString: given })
  await admin.connect()
  const name = `voisol_container_${process.pid}`
  await admin.query(`create role ${name} login password 'container'`)
  await admin.query(`create database ${name}`)
  const address = (user) => {
    const url = new URL(given)
    url.pathname = `/${name}`
    if (user) Object.assign(url, { username: user, password: 'container' })
    if (url.searchParams.has('host')) url.searchParams.set('host', SOCKETS)
    return url.href
  }
  const binds = []
  const sockets = new URL(given).searchParams.get('host')
  if (sockets) {
    // The socket alone: the folder it lies in may be closed to the account of the image.
    const socket = `.s.PGSQL.${new URL(given).port || 5432}`
    mkdirSync(path.join(folder, SOCKETS), { recursive: true })
    writeFileSync(path.join(folder, SOCKETS, socket), '')
    binds.push([path.join(sockets, socket), path.join(SOCKETS, socket)])
  }
  const close = async () => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${name}`)
    await admin.end()
  }
  return { env: { DATABASE_URL: address(name), DATABASE_OWNER_URL: address() }, binds, close }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

async function untilReady(url, child) {
  const end = Date.now() + START_MS
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (child.exitCode !== null) throw new Error('Le serveur s’est arrêté pendant son démarrage')
    if (Date.now() > end) throw new Error(`/readyz ne répond pas 200 (${status})`)
    await sleep(200)
  }
}

const require = (holds, sentence) => {
  if (!holds) throw new Error(sentence)
}

async function tryServer(image) {
  const database = await openDatabase(image)
  const PORT = String(await freePort())
  const given = {
    ...database.env,
    PORT,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'https://energie.exemple.fr',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const start = (command, env = {}, stdio = 'inherit') =>
    startIn(image.folder, {
      command,
      env: { HOME: '/home/node', ...image.env, ...given, ...env },
      cwd: image.cwd,
      user: image.user,
      binds: database.binds,
      stdio,
    })
  const run = (command, env) => new Promise((resolve) => start(command, env).once('close', resolve))
  const server = start(image.command, {}, ['ignore', 'pipe', 'inherit'])
  let log = ''
  server.stdout.on('data', (data) => {
    log += data
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    const url = `http://127.0.0.1:${PORT}`
    await untilReady(url, server)
    tell('/readyz répond 200')
    for (const address of ['/healthz', '/'])
      require((await fetch(url + address)).status === 200, `${address} ne répond pas 200`)
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
    require(uid !== '0' && `${uid}:${uid}` === image.user, `Le serveur tourne sous le compte ${uid}`)
    require((await run(['/bin/sh', '-c', image.healthcheck])) === 0, 'HEALTHCHECK échoue')
    require(log.includes('BACKUP_KEY manque'), 'Le démarrage sans BACKUP_KEY n’en dit rien')
    const key = { BACKUP_KEY: randomBytes(32).toString('base64'), BACKUP_FOLDER: '/copies' }
    const voisol = ['node', 'apps/server/src/cli.ts']
    if (database.env.DATABASE_URL) {
      require((await run([...voisol, 'backup'], key)) === 0, 'voisol backup échoue')
      require((await run([...voisol, 'verify', 'latest'], key)) === 0, 'voisol verify échoue')
      tell('copie faite et relue')
    }
    server.kill('SIGTERM')
    const code = await Promise.race([ended, sleep(STOP_MS, 'trop tard')])
    require(code === 0, `SIGTERM\u00a0: ${code}`)
    tell('arrêté par SIGTERM')
  } catch (error) {
    console.log(log)
    throw error
  } finally {
    server.kill('SIGKILL')
    await ended
    await database.close()
  }
}

const image = await build(folder)
requireCleanImage(image)
tell('image construite')
await tryServer(image)
