import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  describeMissingFiles,
  isComplete,
  lastDone,
  listCopies,
  type Manifest,
  placeOf,
} from '../../features/administration/backups/backups.ts'
import { count, type Finding, fault, good, warning } from './finding.ts'

const CHECK = 'copies'
const hoursSince = (at: Date) => (Date.now() - at.getTime()) / 3_600_000
/** As the alerts of the installation have it. */
const COPY_HOURS = { warning: 30, fault: 72 }
const DRILL_DAYS = 10

/** When one last ended well: the run of one made on a database that took no note is missing, the copy itself is not. */
function getNewest(run: Date | undefined, complete: Manifest | undefined): Date | undefined {
  const made = complete && new Date(complete.madeAt)
  return run && made ? (run > made ? run : made) : (run ?? made)
}

/** A copy without all its files restores an installation without them. */
function checkComplete({ name, files: { count: there, missing } }: Manifest): Finding {
  const files = missing.map((key) => ({ key }))
  return fault(
    CHECK,
    `La dernière copie (${name}) est incomplète\u00a0: ${describeMissingFiles(files, there + missing.length)}`,
    'Vérifiez DATA_DIR ou FILES_S3_*, puis faites-en une autre\u00a0: «\u00a0voisol backup\u00a0».',
  )
}

export async function checkCopies(db: Db, config: Config): Promise<Finding[]> {
  if (!config.backupKey)
    return [
      fault(
        CHECK,
        'BACKUP_KEY manque\u00a0: aucune copie n’est faite',
        'Donnez-la au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY.',
      ),
    ]
  const copies = (await listCopies(placeOf(config))).map(({ manifest }) => manifest)
  const [last] = copies
  const incomplete = last && !isComplete(last) ? [checkComplete(last)] : []
  const [copy, drill] = [getNewest(await lastDone(db, 'copy'), copies.find(isComplete)), await lastDone(db, 'drill')]
  if (!copy)
    return [
      ...incomplete,
      warning(
        CHECK,
        'Aucune copie n’a encore été faite',
        'Lancez «\u00a0voisol backup\u00a0», ou /admin/backup-scheduler.',
      ),
    ]
  const hours = hoursSince(copy)
  const text = `Dernière copie il y a ${count(hours)}\u00a0h`
  const remedy =
    'Ouvrez /admin/backup-scheduler\u00a0: la raison du dernier échec y est. «\u00a0voisol backup\u00a0» en fait une.'
  const found = [...incomplete]
  if (hours > COPY_HOURS.fault) found.push(fault(CHECK, text, remedy))
  else if (hours > COPY_HOURS.warning) found.push(warning(CHECK, text, remedy))
  else found.push(good(CHECK, text))
  if (!drill || hoursSince(drill) > 24 * DRILL_DAYS)
    found.push(
      warning(
        CHECK,
        drill
          ? `Dernier essai de restauration il y a ${count(hoursSince(drill) / 24)} jours`
          : 'Aucune copie n’a été restaurée à l’essai',
        'Lancez un essai depuis /admin/backup-scheduler\u00a0: une copie que personne n’a restaurée n’en est pas une.',
      ),
    )
  return found
}
