import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { PRIVATE_FILE } from '../private-files.ts'
import { StartupError } from '../startup.ts'
import type { PostgresBinaries } from './embedded-binaries.ts'
import {
  buildConnectionUrl,
  type ClusterLayout,
  createStartError,
  findLastLogError,
  OWNER_ROLE,
  readLogFrom,
  runPostgresProgram,
  SUPERUSER_ROLE,
} from './embedded-cluster.ts'
import { getProcessStart, isPostmaster, isProcessRunning, type ProcessAccount, sleep } from './embedded-process.ts'

export type Postmaster = { pid: number; socket: string }

const READY_TIMEOUT_MS = 120_000
const MAX_LOG_BYTES = 10_000_000
const POSTGRES_SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '64MB',
  max_connections: '60',
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
const TRANSIENT_ERROR_PATTERN = /lock file ".*" already exists|pre-existing shared memory block/
/**
 * Another server was quicker, or a killed one is still shutting down: worth another try. The log is shared, so later
 * lines may be from the other server.
 */
export const isTransientStartError = (written: string) => TRANSIENT_ERROR_PATTERN.test(written)

/** An unknown role, or one that may not read the data directory setting. */
const UNKNOWN_ROLE_CODES = new Set(['28000', '42501'])

async function servesCluster(role: string, socket: string, cluster: string): Promise<boolean | 'unknown'> {
  const connectionString = buildConnectionUrl(socket, 'postgres', role)
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === cluster
  } catch (error) {
    return error instanceof pg.DatabaseError && UNKNOWN_ROLE_CODES.has(error.code ?? '') ? 'unknown' : false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * In a new folder, or one of an older version, the owner role may not exist or may not ask yet: the superuser is used
 * instead.
 */
async function isServingCluster(socket: string, cluster: string): Promise<boolean> {
  const answer = await servesCluster(OWNER_ROLE, socket, cluster)
  return answer === 'unknown' ? (await servesCluster(SUPERUSER_ROLE, socket, cluster)) === true : answer
}

async function readPostmasterLock(cluster: string): Promise<Postmaster | null> {
  const lines = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  const pid = Number(lines[0])
  return pid > 0 ? { pid, socket: lines[4] ?? '' } : null
}

/** The PostgreSQL that already runs on this cluster, once it answers; a stale lock is removed. */
export async function findRunningPostmaster({ cluster, log }: ClusterLayout): Promise<Postmaster | null> {
  const end = performance.now() + READY_TIMEOUT_MS
  while (performance.now() < end) {
    const lock = await readPostmasterLock(cluster)
    if (!lock) return null
    if (lock.socket && (await isServingCluster(lock.socket, cluster))) return lock
    if (!isPostmaster(lock.pid, cluster)) {
      // PostgreSQL removes the lock of a dead process, but not if another program got the same process id.
      if (isProcessRunning(lock.pid)) await rm(path.join(cluster, 'postmaster.pid'), { force: true })
      return null
    }
    await sleep(50)
  }
  throw new StartupError(
    `Un PostgreSQL tourne déjà sur le dossier ${cluster} mais ne répond pas. Journal\u00a0: ${log}.`,
  )
}

async function waitUntilReady(child: ChildProcess, socket: string, cluster: string) {
  const end = performance.now() + READY_TIMEOUT_MS
  while (child.exitCode === null && child.signalCode === null && child.pid && performance.now() < end) {
    // The lock shows which server answered: a quicker one may be listening on the same socket.
    const lock = await readPostmasterLock(cluster)
    if (lock?.pid === child.pid && (await isServingCluster(socket, cluster))) return true
    await sleep(20)
  }
  return false
}

/** Starts PostgreSQL and waits until it answers; null when it is worth another try. */
export async function startPostmaster(
  paths: ClusterLayout,
  tools: PostgresBinaries,
  account: ProcessAccount,
  socket: string,
) {
  const size = await stat(paths.log).then(
    (log) => log.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await truncate(paths.log)
  const settings = Object.entries(POSTGRES_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [tools.postgres, '-D', paths.cluster, '-k', socket, ...settings]
  const child = await runPostgresProgram(paths, tools, account, command)
  child.on('error', () => undefined)
  child.unref()
  if (child.pid && (await waitUntilReady(child, socket, paths.cluster))) return { pid: child.pid, socket }
  const written = await readLogFrom(paths.log, size > MAX_LOG_BYTES ? 0 : size)
  if (isTransientStartError(written)) return null
  throw createStartError(paths, findLastLogError(written))
}

/** The Node process that stops PostgreSQL when it exits; the token distinguishes two starts of one process. */
type Owner = { pid: number; startedAt: string | null; token: string; host?: string }

/** Interval at which an owner shows that it is alive; other hosts watch long enough for a busy machine. */
export const HEARTBEAT_MS = 2000
const OBSERVATION_MS = 10_000

const readOrEmpty = (read: () => string) => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}
/** Identifies a machine or container: process ids mean nothing in another one. */
const getHostId = () =>
  [
    hostname(),
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ')

export const createOwner = (): Owner => ({
  pid: process.pid,
  startedAt: getProcessStart(process.pid),
  token: randomUUID(),
  host: getHostId(),
})

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

export const isOwner = (file: string, me: Owner) => readOwner(file)?.token === me.token
const isOnOtherHost = ({ host }: Owner) => host !== undefined && host !== getHostId()

/** The process of this machine that owns PostgreSQL, if it is alive. */
export function findLivingOwner(file: string): number | undefined {
  const owner = readOwner(file)
  if (!owner || isOnOtherHost(owner)) return undefined
  const startedAt = getProcessStart(owner.pid)
  return startedAt !== null && startedAt === owner.startedAt ? owner.pid : undefined
}

export async function takeOwnership(file: string, me: Owner) {
  await writeFile(`${file}.${me.token}`, JSON.stringify(me), PRIVATE_FILE)
  await rename(`${file}.${me.token}`, file)
}

/** Shows that the owner is alive to those that cannot see its process. */
export async function touchOwnerFile(file: string, me: Owner) {
  const now = new Date()
  if (isOwner(file, me)) await utimes(file, now, now)
}

/**
 * A folder on a shared disk may be in use on another machine or container, whose PostgreSQL is not visible here: a
 * second one on the same files would destroy them. For a while it is watched whether the owner still shows that it is
 * alive; the clocks of the machines are not compared.
 */
export async function requireNoOwnerOnOtherHost(file: string, cluster: string, observeMs = OBSERVATION_MS) {
  const owner = readOwner(file)
  if (!owner || !isOnOtherHost(owner)) return
  const getHeartbeatMs = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const before = getHeartbeatMs()
  const end = performance.now() + observeMs
  while (performance.now() < end) {
    await sleep(100)
    const now = getHeartbeatMs()
    // The owner has stopped cleanly meanwhile.
    if (now === undefined) return
    if (now !== before)
      throw new StartupError(
        `Le dossier ${cluster} est utilisé par un autre Voisol, sur la machine ou dans le conteneur «\u00a0${owner.host?.split(' ')[0]}\u00a0» ` +
          `(processus ${owner.pid}). Arrêtez-le d’abord, ou indiquez un autre dossier avec DATA_DIR\u00a0: deux serveurs sur les mêmes ` +
          'fichiers les détruiraient. Pour servir sur plusieurs machines, donnez-leur la même base avec DATABASE_URL.',
      )
  }
}
