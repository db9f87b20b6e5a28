import { basename, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { requireKnownMigrations } from '../db/migrate.ts'
import { openDeps } from '../deps.ts'
import {
  countCopiedRows,
  describeCopyStore,
  describeMissingFiles,
  describeMissingFilesRemedy,
  isCopyComplete,
  loadRecordedFiles,
  type Manifest,
  makeCopy,
  openCopyStore,
  requireBackupKey,
  requireCopySource,
  restoreCopy,
  trackTerminalCopy,
  verifyCopy,
} from '../features/admin/backups/index.ts'
import { type Closers, openDatabaseUrls, readConfig } from '../open.ts'
import { formatCliCount, printLine, UsageError } from './output.ts'

export type BackupOptions = { to?: string | undefined; into?: string | undefined; 'lost-secret'?: boolean | undefined }
const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1).replace('.', ',')} Mo`

/** The folder given on the command line overrides the configuration. */
const loadBackupConfig = ({ to }: BackupOptions): Config => {
  const config = readConfig()
  return to
    ? { ...config, BACKUP_FOLDER: resolve(to), BACKUP_S3_ENDPOINT: undefined, BACKUP_S3_BUCKET: undefined }
    : config
}

/** The database is not migrated: it is backed up as it is. */
export async function runBackupCommand(log: Logger, closers: Closers, options: BackupOptions): Promise<boolean> {
  const config = loadBackupConfig(options)
  const { url } = await openDatabaseUrls(config, closers)
  const { deps, close } = openDeps(config, url, log)
  closers.add(close)
  await requireKnownMigrations(deps.db)
  const { sheet, unnoted } = await trackTerminalCopy(deps, () => makeCopy(deps))
  const { manifest, content } = sheet
  printLine(`${isCopyComplete(manifest) ? '✓' : '✗'} ${manifest.name} (${describeCopyStore(config)})`)
  printLine(
    `  ${formatCliCount(countCopiedRows(manifest), 'ligne')} de ${formatCliCount(manifest.tables.length, 'table')}, ${formatCliCount(manifest.files.count, 'fichier')}, ${formatMegabytes(content.bytes)}`,
  )
  printLine(
    `  Pour la restaurer\u00a0: BACKUP_KEY, et SECRET_KEY d’empreinte ${manifest.secretPrint}. Aucune des deux n’est dans la copie.`,
  )
  if (unnoted) printLine(`! Elle n’a pas pu être notée dans la base, dont l’alerte ne la verra pas. ${unnoted}`)
  if (isCopyComplete(manifest)) return true
  const { count, missing } = manifest.files
  const recorded = await loadRecordedFiles(deps.db, missing)
  printLine(`✗ Copie incomplète\u00a0: ${describeMissingFiles(recorded, count + missing.length)}.`)
  printLine(`    → ${describeMissingFilesRemedy(config)}`)
  return false
}

const requireCopyName = (given: string[]) => {
  const [name] = given
  if (!name) throw new UsageError('Dites quelle copie\u00a0: un fichier, un nom, ou latest pour la dernière.')
  return name
}

export async function runVerifyCommand(given: string[], options: BackupOptions): Promise<boolean> {
  const config = loadBackupConfig(options)
  const { name, source } = await requireCopySource(openCopyStore(config), requireCopyName(given))
  const manifest = await verifyCopy(source, requireBackupKey(config))
  const complete = isCopyComplete(manifest)
  printLine(
    `${complete ? '✓' : '✗'} ${basename(name)}\u00a0: ${complete ? 'entière' : 'intacte mais incomplète'}, faite le ${manifest.madeAt} par Voisol ${manifest.version}.`,
  )
  printLine(
    `  ${formatCliCount(countCopiedRows(manifest), 'ligne')} de ${formatCliCount(manifest.tables.length, 'table')}, ${formatCliCount(manifest.files.count, 'fichier')}.`,
  )
  if (!complete) printMissingFiles(manifest)
  return complete
}

/** Without the names of the files, which are only in the database. */
function printMissingFiles({ files: { count, missing } }: Manifest) {
  const files = missing.map((key) => ({ key }))
  printLine(`✗ ${describeMissingFiles(files, count + missing.length)}.`)
  printLine('    → Prenez une copie plus ancienne, ou rendez ces fichiers au serveur copié et faites-en une autre.')
}

/** Restores into the configured database, or the one given; files go to the configured store. */
export async function runRestoreCommand(
  log: Logger,
  closers: Closers,
  given: string[],
  options: BackupOptions,
): Promise<boolean> {
  const config = loadBackupConfig(options)
  const { name, source } = await requireCopySource(openCopyStore(config), requireCopyName(given))
  const urls = options.into ? { url: options.into, ownerUrl: undefined } : await openDatabaseUrls(config, closers)
  const { deps, close } = openDeps(config, urls.url, log)
  closers.add(close)
  const manifest = await restoreCopy({
    source,
    key: requireBackupKey(config),
    secretKey: options['lost-secret'] ? undefined : config.secretKey,
    formerKeys: config.formerKeys,
    url: urls.url,
    ownerUrl: urls.ownerUrl ?? urls.url,
    files: deps.files,
  })
  printLine(
    `✓ ${basename(name)} est restaurée\u00a0: ${formatCliCount(countCopiedRows(manifest), 'ligne')}, ${formatCliCount(manifest.files.count, 'fichier')}.`,
  )
  if (manifest.waiting)
    printLine(
      `! ${formatCliCount(manifest.waiting, 'tâche attendait', 'tâches attendaient')} dans la file, qui n’est pas copiée\u00a0: un e-mail en attente n’est pas parti.`,
    )
  for (const key of manifest.files.erased ?? []) printLine(`! Le fichier ${key} avait été effacé pendant la copie.`)
  if (!isCopyComplete(manifest)) printMissingFiles(manifest)
  return true
}
