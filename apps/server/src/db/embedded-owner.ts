import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { rename, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { PRIVATE_FILE } from '../private-files.ts'
import { StartupError } from '../startup-error.ts'
import { getProcessStart, sleep } from './embedded-process.ts'

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
  const seen = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const before = seen()
  const end = performance.now() + observeMs
  while (performance.now() < end) {
    await sleep(100)
    const now = seen()
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
