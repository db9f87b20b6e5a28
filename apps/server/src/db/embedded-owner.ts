import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { rename, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { PRIVATE_FILE } from '../private-files.ts'
import { StartupError } from '../startup-error.ts'
import { getProcessStart, sleep } from './embedded-process.ts'

/** Which Node process stops PostgreSQL when it leaves; the token tells apart two launchers of one process. */
type Owner = { pid: number; startedAt: string | null; token: string; host?: string }

/** An owner says that it lives; who starts elsewhere looks for as long as a busy machine may keep it silent. */
export const HEARTBEAT_MS = 2000
const OBSERVATION_MS = 10_000

const readOrEmpty = (read: () => string) => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}
/** A machine, or a container on it: in another one our process numbers name nobody, or somebody else. */
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

/** The process of this machine that owns PostgreSQL, if it lives. */
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

/** Says that the owner lives, to whoever cannot see its process. */
export async function touchOwnerFile(file: string, me: Owner) {
  const now = new Date()
  if (isOwner(file, me)) await utimes(file, now, now)
}

/**
 * A folder on a shared disk may be in use on another machine, or in another container, whose PostgreSQL cannot be seen
 * from here: a second one on the same files would destroy them. Whether its owner still says that it lives is looked at
 * for a while; the clocks of the two are not compared.
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
    // It has left in good order meanwhile.
    if (now === undefined) return
    if (now !== before)
      throw new StartupError(
        `Le dossier ${cluster} est utilisé par un autre Voisol, sur la machine ou dans le conteneur «\u00a0${owner.host?.split(' ')[0]}\u00a0» ` +
          `(processus ${owner.pid}). Arrêtez-le d’abord, ou indiquez un autre dossier avec DATA_DIR\u00a0: deux serveurs sur les mêmes ` +
          'fichiers les détruiraient. Pour servir sur plusieurs machines, donnez-leur la même base avec DATABASE_URL.',
      )
  }
}
