import { randomUUID } from 'node:crypto'
import { formatCount } from '@voisol/file-formats/french'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import {
  describeMissingFiles,
  describeMissingFilesRemedy,
  findLastCopyRunSuccess,
  findMissingFiles,
  isCopyComplete,
  listCopies,
  type Manifest,
  openCopyStore,
} from '../../features/admin/backups/index.ts'
import { loadSequenceHeads } from '../../features/billing/invoices/index.ts'
import type { FileStore } from '../../integrations/files/files.ts'
import { isOtherFileStoreInUse } from '../../shared-file-store.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatInteger,
  getErrorMessage,
} from './finding.ts'

const COPIES_CHECK = 'copies'
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
    COPIES_CHECK,
    `La dernière copie (${name}) est incomplète\u00a0: ${describeMissingFiles(files, there + missing.length)}`,
    'Vérifiez DATA_DIR ou FILES_S3_*, puis faites-en une autre\u00a0: «\u00a0voisol backup\u00a0».',
  )
}

export async function checkCopies(db: Db, config: Config): Promise<DoctorFinding[]> {
  if (!config.backupKey)
    return [
      createFaultFinding(
        COPIES_CHECK,
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
        COPIES_CHECK,
        'Aucune copie n’a encore été faite',
        'Lancez «\u00a0voisol backup\u00a0», ou /admin/backup-scheduler.',
      ),
    ]
  const hours = hoursSince(copy)
  const text = `Dernière copie il y a ${formatInteger(hours)}\u00a0h`
  const remedy =
    'Ouvrez /admin/backup-scheduler\u00a0: la raison du dernier échec y est. «\u00a0voisol backup\u00a0» en fait une.'
  const found = [...incomplete]
  if (hours > COPY_AGE_LIMIT_HOURS.fault) found.push(createFaultFinding(COPIES_CHECK, text, remedy))
  else if (hours > COPY_AGE_LIMIT_HOURS.warning) found.push(createWarningFinding(COPIES_CHECK, text, remedy))
  else found.push(createOkFinding(COPIES_CHECK, text))
  if (!lastRestoreTest || hoursSince(lastRestoreTest) > 24 * MAX_RESTORE_TEST_AGE_DAYS)
    found.push(
      createWarningFinding(
        COPIES_CHECK,
        lastRestoreTest
          ? `Dernier essai de restauration il y a ${formatInteger(hoursSince(lastRestoreTest) / 24)} jours`
          : 'Aucune copie n’a été restaurée à l’essai',
        'Lancez un essai depuis /admin/backup-scheduler\u00a0: une copie que personne n’a restaurée n’en est pas une.',
      ),
    )
  return found
}

const STORED_FILES_CHECK = 'files'

/** Writes a file, reads it back and deletes it. */
async function probeFileStore(files: FileStore): Promise<string | undefined> {
  const key = `doctor/${randomUUID()}`
  const content = Buffer.from(key)
  try {
    await files.put(key, content, 'text/plain')
    const back = await files.get(key)
    await files.remove(key)
    return back && content.equals(Buffer.from(back)) ? undefined : 'ce qui est écrit ne revient pas'
  } catch (error) {
    return getErrorMessage(error)
  }
}

export async function checkStoredFiles(files: FileStore, db: Db, config: Config): Promise<DoctorFinding[]> {
  const broken = await probeFileStore(files)
  const found: DoctorFinding[] = []
  if (broken)
    found.push(
      createFaultFinding(
        STORED_FILES_CHECK,
        `Les fichiers ne se gardent pas\u00a0: ${broken}`,
        config.FILES_S3_BUCKET
          ? 'Vérifiez FILES_S3_* et les droits de la clé sur le compartiment (lire, écrire, effacer, lister).'
          : 'Vérifiez les droits et la place de DATA_DIR/files.',
      ),
    )
  else if (await isOtherFileStoreInUse({ db, files }))
    found.push(
      createFaultFinding(
        STORED_FILES_CHECK,
        'Un autre processus sert cette base avec d’autres fichiers',
        'Partagez DATA_DIR/files entre les machines, ou donnez-leur le même FILES_S3_*\u00a0: un fichier reçu par l’une est cherché par l’autre.',
      ),
    )
  if (found.length) return found
  const { recorded, missing } = await findMissingFiles(db, files)
  const kept = createOkFinding(STORED_FILES_CHECK, 'Fichiers écrits, relus et effacés')
  if (!missing.length) return [kept]
  return [
    kept,
    createFaultFinding(STORED_FILES_CHECK, describeMissingFiles(missing, recorded), describeMissingFilesRemedy(config)),
  ]
}

const INVOICES_CHECK = 'invoices'

/** Only the last document of each sequence: `voisol audit verify` checks them all. */
export async function checkInvoices({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<DoctorFinding[]> {
  const heads = await loadSequenceHeads(db, secrets)
  const unsigned = heads.filter(({ signedBy }) => signedBy < 0)
  if (!unsigned.length)
    return [
      createOkFinding(
        INVOICES_CHECK,
        `Factures émises\u00a0: ${formatCount(heads.length, 'série signée', 'séries signées')}`,
      ),
    ]
  const names = unsigned.map(({ series }) => `${series.prefix}${series.year} (organisation ${series.companyId})`)
  return [
    createFaultFinding(
      INVOICES_CHECK,
      `Factures émises\u00a0: la dernière facture ${names.length > 1 ? 'des séries' : 'de la série'} ${names.join(', ')} ne porte aucune signature valide`,
      'Si le serveur vient d’être mis à jour, il la signe à son premier démarrage. Sinon lancez «\u00a0voisol audit verify\u00a0».',
    ),
  ]
}

const KEYS_CHECK = 'keys'
/** Keys that are still valid. */
const API_KEYS_QUERY = `
  select count(*) filter (where created_at < now() - interval '1 year')::int as old,
         count(*) filter (where expires_on < current_date + 14)::int as ending,
         count(distinct company_id) filter (where created_at < now() - interval '1 year')::int as companies
    from api_keys
   where revoked_at is null and retires_at is null and (expires_on is null or expires_on >= current_date)`

export async function checkKeys({ $client }: Db): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<{ old: number; ending: number; companies: number }>(API_KEYS_QUERY)
  const { old, ending, companies } = rows[0] ?? { old: 0, ending: 0, companies: 0 }
  const found: DoctorFinding[] = []
  if (old)
    found.push(
      createWarningFinding(
        KEYS_CHECK,
        `${formatInteger(old)} clé(s) d’API de plus d’un an, de ${formatInteger(companies)} organisation(s)`,
        'Demandez à qui les tient de les remplacer à /admin/api-keys\u00a0: l’ancienne ouvre encore quelques jours.',
      ),
    )
  if (ending)
    found.push(
      createWarningFinding(
        KEYS_CHECK,
        `${formatInteger(ending)} clé(s) d’API finissent sous quatorze jours`,
        'Leurs organisations sont prévenues\u00a0: remplacez-les à /admin/api-keys.',
      ),
    )
  return found.length ? found : [createOkFinding(KEYS_CHECK, 'Clés d’API de moins d’un an')]
}
