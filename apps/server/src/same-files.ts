import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Deps } from './deps.ts'
import { StartupError } from './startup-error.ts'

const MARK = 'marks/store'
const BEAT_MS = 60_000
/** Whoever is at work has said again by then what they see; who has stopped, or has changed, has not. */
const PATIENCE_MS = BEAT_MS + 5000
export const OTHER_FILES =
  'Un autre processus sert la même base avec d’autres fichiers\u00a0: ce que l’un reçoit, l’autre ne le trouverait pas. ' +
  'Donnez-leur le même DATA_DIR, sur un disque partagé, ou le même FILES_S3_*.'
export const NO_FILES =
  'Les fichiers ne répondent pas comme il faut\u00a0: rien ne peut être reçu ni relu. Vérifiez DATA_DIR ou FILES_S3_* (adresse, compartiment, région, clé).'

type Place = Pick<Deps, 'db' | 'files'>

const readName = async ({ files }: Place) => Buffer.from((await files.get(MARK)) ?? []).toString()

/** The name of a store of files, which the first process leaves in it. */
async function nameOf(place: Place): Promise<string> {
  await place.files.add(MARK, Buffer.from(randomUUID()), 'text/plain')
  return readName(place)
}

const OTHERS = `
  select count(*)::int as n from status_samples
   where component like 'files %' and component <> $1 and at > now() - make_interval(secs => $2::float8 / 1000)`
const LATELY_MS = 3 * BEAT_MS

async function othersThan({ db }: Place, component: string, within = LATELY_MS): Promise<boolean> {
  const { rows } = await db.$client.query<{ n: number }>(OTHERS, [component, within])
  return (rows[0]?.n ?? 0) > 0
}

/** Says in the database which files this process sees; true where another said lately that it sees others. */
export async function seesOtherFiles(place: Place, within?: number): Promise<boolean> {
  const component = `files ${await nameOf(place)}`
  const { $client } = place.db
  await $client.query(`delete from status_samples where component = $1 and at < now() - interval '10 minutes'`, [
    component,
  ])
  await $client.query('insert into status_samples (component, at, ok) values ($1, now(), true)', [component])
  return othersThan(place, component, within)
}

/** Whether another process says so of files that are not these; nothing is written. */
export const othersSee = async (place: Place): Promise<boolean> => othersThan(place, `files ${await readName(place)}`)

/**
 * Machines that share a database share their files: otherwise an import received by one fails on the other. Somebody who has
 * just stopped is no neighbour, nor are those who came first together to a store that cannot tell which of them did.
 */
export async function requireSameFiles(
  { config, ...place }: Place & Pick<Deps, 'config'>,
  log: Pick<Logger, 'warn'>,
  patience = PATIENCE_MS,
) {
  // Files that are away at this moment are no reason not to start: the next beat looks again.
  const isAlone = async (within?: number) =>
    !(await seesOtherFiles(place, within).catch((error) => {
      log.warn({ err: error, variable: 'FILES_S3_ENDPOINT' }, NO_FILES)
      return false
    }))
  if (!(await isAlone())) {
    log.warn({ variable: 'DATA_DIR' }, OTHER_FILES)
    if (config.production) {
      await setTimeout(patience)
      if (!(await isAlone(patience))) throw new StartupError(OTHER_FILES)
    }
  }
  const beat = async () => {
    if (await seesOtherFiles(place)) log.warn({ variable: 'DATA_DIR' }, OTHER_FILES)
  }
  // A database or a disk that is away is told elsewhere.
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}
