import { basename, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { requireKnownMigrations } from '../db/migrate.ts'
import { openDeps } from '../deps.ts'
import {
  describeMissingFiles,
  findSource,
  isComplete,
  keyOf,
  loadRecordedFiles,
  type Manifest,
  makeCopy,
  missingFilesRemedy,
  noting,
  placeName,
  placeOf,
  restoreCopy,
  rowsOf,
  verifyCopy,
} from '../features/administration/backups/backups.ts'
import { type Closers, openDatabaseUrls, readConfig } from '../open.ts'
import { plural, say, UsageError } from './output.ts'

export type BackupOptions = { to?: string | undefined; into?: string | undefined; 'lost-secret'?: boolean | undefined }
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1).replace('.', ',')} Mo`

/** The folder named on the command line comes before what is configured. */
const configured = ({ to }: BackupOptions): Config => {
  const config = readConfig()
  return to
    ? { ...config, BACKUP_FOLDER: resolve(to), BACKUP_S3_ENDPOINT: undefined, BACKUP_S3_BUCKET: undefined }
    : config
}

/** Nothing is migrated: what is copied is what is there. */
export async function backup(log: Logger, closers: Closers, options: BackupOptions): Promise<boolean> {
  const config = configured(options)
  const { url } = await openDatabaseUrls(config, closers)
  const { deps, close } = openDeps(config, url, log)
  closers.add(close)
  await requireKnownMigrations(deps.db)
  const { sheet, unnoted } = await noting(deps, () => makeCopy(deps))
  const { manifest, content } = sheet
  say(`${isComplete(manifest) ? '✓' : '✗'} ${manifest.name} (${placeName(config)})`)
  say(
    `  ${plural(rowsOf(manifest), 'ligne')} de ${plural(manifest.tables.length, 'table')}, ${plural(manifest.files.count, 'fichier')}, ${megabytes(content.bytes)}`,
  )
  say(
    `  Pour la restaurer\u00a0: BACKUP_KEY, et SECRET_KEY d’empreinte ${manifest.secretPrint}. Aucune des deux n’est dans la copie.`,
  )
  if (unnoted) say(`! Elle n’a pas pu être notée dans la base, dont l’alerte ne la verra pas. ${unnoted}`)
  if (isComplete(manifest)) return true
  const { count, missing } = manifest.files
  const recorded = await loadRecordedFiles(deps.db, missing)
  say(`✗ Copie incomplète\u00a0: ${describeMissingFiles(recorded, count + missing.length)}.`)
  say(`    → ${missingFilesRemedy(config)}`)
  return false
}

const asked = (given: string[]) => {
  const [name] = given
  if (!name) throw new UsageError('Dites quelle copie\u00a0: un fichier, un nom, ou latest pour la dernière.')
  return name
}

export async function verify(given: string[], options: BackupOptions): Promise<boolean> {
  const config = configured(options)
  const { name, source } = await findSource(placeOf(config), asked(given))
  const manifest = await verifyCopy(source, keyOf(config))
  const complete = isComplete(manifest)
  say(
    `${complete ? '✓' : '✗'} ${basename(name)}\u00a0: ${complete ? 'entière' : 'intacte mais incomplète'}, faite le ${manifest.madeAt} par Voisol ${manifest.version}.`,
  )
  say(
    `  ${plural(rowsOf(manifest), 'ligne')} de ${plural(manifest.tables.length, 'table')}, ${plural(manifest.files.count, 'fichier')}.`,
  )
  if (!complete) sayMissing(manifest)
  return complete
}

/** Without the names of the files, which only the database has. */
function sayMissing({ files: { count, missing } }: Manifest) {
  const files = missing.map((key) => ({ key }))
  say(`✗ ${describeMissingFiles(files, count + missing.length)}.`)
  say('    → Prenez une copie plus ancienne, ou rendez ces fichiers au serveur copié et faites-en une autre.')
}

/** Into the database of the configuration, or into the one named; files go to the configured store. */
export async function restore(
  log: Logger,
  closers: Closers,
  given: string[],
  options: BackupOptions,
): Promise<boolean> {
  const config = configured(options)
  const { name, source } = await findSource(placeOf(config), asked(given))
  const urls = options.into ? { url: options.into, ownerUrl: undefined } : await openDatabaseUrls(config, closers)
  const { deps, close } = openDeps(config, urls.url, log)
  closers.add(close)
  const manifest = await restoreCopy({
    source,
    key: keyOf(config),
    secretKey: options['lost-secret'] ? undefined : config.secretKey,
    formerKeys: config.formerKeys,
    url: urls.url,
    ownerUrl: urls.ownerUrl ?? urls.url,
    files: deps.files,
  })
  say(
    `✓ ${basename(name)} est restaurée\u00a0: ${plural(rowsOf(manifest), 'ligne')}, ${plural(manifest.files.count, 'fichier')}.`,
  )
  if (manifest.waiting)
    say(
      `! ${plural(manifest.waiting, 'tâche attendait', 'tâches attendaient')} dans la file, qui n’est pas copiée\u00a0: un e-mail en attente n’est pas parti.`,
    )
  for (const key of manifest.files.erased ?? []) say(`! Le fichier ${key} avait été effacé pendant la copie.`)
  if (!isComplete(manifest)) sayMissing(manifest)
  return true
}
