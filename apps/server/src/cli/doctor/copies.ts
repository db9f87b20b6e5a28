import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { lastDone, listCopies, placeOf } from '../../features/administration/backups/backups.ts'
import { count, type Finding, fault, good, warning } from './finding.ts'

const CHECK = 'copies'
const hoursSince = (at: Date) => (Date.now() - at.getTime()) / 3_600_000
/** As the alerts of the installation have it (0067). */
const COPY_HOURS = { warning: 30, fault: 72 }
const DRILL_DAYS = 10

/** By the server, or by the command, which leaves no trace but the copy itself. */
async function newestCopy(db: Db, config: Config): Promise<Date | undefined> {
  const [run, [copy]] = await Promise.all([lastDone(db, 'copy'), listCopies(placeOf(config))])
  const made = copy && new Date(copy.manifest.madeAt)
  return run && made ? (run > made ? run : made) : (run ?? made)
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
  const [copy, drill] = [await newestCopy(db, config), await lastDone(db, 'drill')]
  if (!copy)
    return [
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
  const found: Finding[] = []
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
