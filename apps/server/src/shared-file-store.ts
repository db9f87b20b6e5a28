import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Deps } from './deps.ts'
import { isDatabaseBusy, StartupError } from './startup.ts'

const STORE_ID_KEY = 'marks/store'
const HEARTBEAT_MS = 60_000
/** A running process has announced again by then; one that stopped or changed its store has not. */
const HEARTBEAT_TIMEOUT_MS = HEARTBEAT_MS + 5000
export const DIFFERENT_FILES_MESSAGE =
  'Un autre processus sert la même base avec d’autres fichiers\u00a0: ce que l’un reçoit, l’autre ne le trouverait pas. ' +
  'Donnez-leur le même DATA_DIR, sur un disque partagé, ou le même FILES_S3_*.'
export const FILES_UNAVAILABLE_MESSAGE =
  'Les fichiers ne répondent pas comme il faut\u00a0: rien ne peut être reçu ni relu. Vérifiez DATA_DIR ou FILES_S3_* (adresse, compartiment, région, clé).'
export const FILES_NOT_ANNOUNCED_MESSAGE =
  'La base refuse de noter quels fichiers ce processus utilise\u00a0: rien ne dira si un autre en sert de différents. Nouvel essai chaque minute.'

type FileStoreDeps = Pick<Deps, 'db' | 'files'>

const readStoreId = async ({ files }: FileStoreDeps) => Buffer.from((await files.get(STORE_ID_KEY)) ?? []).toString()

/** The id of a file store, which the first process writes into it. */
async function loadOrCreateStoreId(place: FileStoreDeps): Promise<string> {
  await place.files.add(STORE_ID_KEY, Buffer.from(randomUUID()), 'text/plain')
  return readStoreId(place)
}

const OTHER_STORES_QUERY = `
  select count(*)::int as n from status_samples
   where component like 'files %' and component <> $1 and at > now() - make_interval(secs => $2::float8 / 1000)`
const RECENT_MS = 3 * HEARTBEAT_MS

async function hasOtherStores({ db }: FileStoreDeps, component: string, within = RECENT_MS): Promise<boolean> {
  const { rows } = await db.$client.query<{ n: number }>(OTHER_STORES_QUERY, [component, within])
  return (rows[0]?.n ?? 0) > 0
}

/** Announces in the database which file store this process uses; true if another recently announced a different one. */
export const announceFileStore = async (place: FileStoreDeps, within?: number): Promise<boolean> =>
  announceStoreId(place, await loadOrCreateStoreId(place), within)

async function announceStoreId(place: FileStoreDeps, storeId: string, within?: number): Promise<boolean> {
  const component = `files ${storeId}`
  const { $client } = place.db
  await $client.query(`delete from status_samples where component = $1 and at < now() - interval '10 minutes'`, [
    component,
  ])
  await $client.query('insert into status_samples (component, at, ok) values ($1, now(), true)', [component])
  return hasOtherStores(place, component, within)
}

/** Whether another process announced a different store; nothing is written. */
export const isOtherFileStoreInUse = async (place: FileStoreDeps): Promise<boolean> =>
  hasOtherStores(place, `files ${await readStoreId(place)}`)

/**
 * Machines that share a database must share their files: otherwise an import received by one fails on the other. A
 * process that has just stopped does not count, nor do simultaneous first users of a store without conditional writes.
 */
export async function requireSameFiles(
  { config, ...place }: FileStoreDeps & Pick<Deps, 'config'>,
  log: Pick<Logger, 'warn'>,
  patience = HEARTBEAT_TIMEOUT_MS,
) {
  // What is temporarily unavailable does not prevent the start: the next announcement checks again.
  const isAlone = async (within?: number) => {
    const storeId = await loadOrCreateStoreId(place).catch((err) => {
      log.warn({ err, variable: 'FILES_S3_ENDPOINT' }, FILES_UNAVAILABLE_MESSAGE)
    })
    if (storeId === undefined) return true
    const others = await announceStoreId(place, storeId, within).catch((err) => {
      // The step of the start tries again.
      if (isDatabaseBusy(err)) throw err
      log.warn({ err }, FILES_NOT_ANNOUNCED_MESSAGE)
      return false
    })
    return !others
  }
  if (!(await isAlone())) {
    log.warn({ variable: 'DATA_DIR' }, DIFFERENT_FILES_MESSAGE)
    if (config.production) {
      await setTimeout(patience)
      if (!(await isAlone(patience))) throw new StartupError(DIFFERENT_FILES_MESSAGE)
    }
  }
  const beat = async () => {
    if (await announceFileStore(place)) log.warn({ variable: 'DATA_DIR' }, DIFFERENT_FILES_MESSAGE)
  }
  // An unavailable database or disk is reported elsewhere.
  const timer = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}
