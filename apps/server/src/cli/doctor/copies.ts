import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  describeMissingFiles,
  findLastCopyRunSuccess,
  isCopyComplete,
  listCopies,
  type Manifest,
  openCopyStore,
} from '../../features/administration/backups/backups.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatInteger,
} from './finding.ts'

const CHECK = 'copies'
const hoursSince = (at: Date) => (Date.now() - at.getTime()) / 3_600_000
/** As the alerts of the installation have it. */
const COPY_AGE_LIMIT_HOURS = { warning: 30, fault: 72 }
const MAX_RESTORE_TEST_AGE_DAYS = 10

/** When one last ended well: the run of one made on a database that took no note is missing, the copy itself is not. */
function getNewest(run: Date | undefined, complete: Manifest | undefined): Date | undefined {
  const made = complete && new Date(complete.madeAt)
  return run && made ? (run > made ? run : made) : (run ?? made)
}

/** A copy without all its files restores an installation without them. */
function createIncompleteCopyFinding({ name, files: { count: there, missing } }: Manifest): DoctorFinding {
  const files = missing.map((key) => ({ key }))
  return createFaultFinding(
    CHECK,
    `La dernière copie (${name}) est incomplète\u00a0: ${describeMissingFiles(files, there + missing.length)}`,
    'Vérifiez DATA_DIR ou FILES_S3_*, puis faites-en une autre\u00a0: «\u00a0voisol backup\u00a0».',
  )
}

export async function checkCopies(db: Db, config: Config): Promise<DoctorFinding[]> {
  if (!config.backupKey)
    return [
      createFaultFinding(
        CHECK,
        'BACKUP_KEY manque\u00a0: aucune copie n’est faite',
        'Donnez-la au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY.',
      ),
    ]
  const copies = (await listCopies(openCopyStore(config))).map(({ manifest }) => manifest)
  const [last] = copies
  const incomplete = last && !isCopyComplete(last) ? [createIncompleteCopyFinding(last)] : []
  const [copy, lastRestoreTest] = [
    getNewest(await findLastCopyRunSuccess(db, 'copy'), copies.find(isCopyComplete)),
    await findLastCopyRunSuccess(db, 'drill'),
  ]
  if (!copy)
    return [
      ...incomplete,
      createWarningFinding(
        CHECK,
        'Aucune copie n’a encore été faite',
        'Lancez «\u00a0voisol backup\u00a0», ou /admin/backup-scheduler.',
      ),
    ]
  const hours = hoursSince(copy)
  const text = `Dernière copie il y a ${formatInteger(hours)}\u00a0h`
  const remedy =
    'Ouvrez /admin/backup-scheduler\u00a0: la raison du dernier échec y est. «\u00a0voisol backup\u00a0» en fait une.'
  const found = [...incomplete]
  if (hours > COPY_AGE_LIMIT_HOURS.fault) found.push(createFaultFinding(CHECK, text, remedy))
  else if (hours > COPY_AGE_LIMIT_HOURS.warning) found.push(createWarningFinding(CHECK, text, remedy))
  else found.push(createOkFinding(CHECK, text))
  if (!lastRestoreTest || hoursSince(lastRestoreTest) > 24 * MAX_RESTORE_TEST_AGE_DAYS)
    found.push(
      createWarningFinding(
        CHECK,
        lastRestoreTest
          ? `Dernier essai de restauration il y a ${formatInteger(hoursSince(lastRestoreTest) / 24)} jours`
          : 'Aucune copie n’a été restaurée à l’essai',
        'Lancez un essai depuis /admin/backup-scheduler\u00a0: une copie que personne n’a restaurée n’en est pas une.',
      ),
    )
  return found
}
