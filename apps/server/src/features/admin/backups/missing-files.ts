import { formatCount, formatFrenchNumber } from '@voisol/file-formats/french'
import type { Config } from '../../../config.ts'
import { getFileKey } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { isCopyComplete, type Manifest } from './copy-format.ts'

export type Finding = { label: string; ok: boolean; detail: string }

type RecordedFile = { companyId: number; sha256: string; name: string }
type MissingFile = { key: string; name: string }

const MAX_NAMED_FILES = 5
const toMissingFile = (row: RecordedFile): MissingFile => ({ key: getFileKey(row), name: row.name })

/** Records whose content the store does not hold. Folders are listed: nothing is read. */
export async function findMissingFiles(
  { $client }: Db,
  files: FileStore,
): Promise<{ recorded: number; missing: MissingFile[] }> {
  const { rows } = await $client.query<RecordedFile>(
    'select company_id as "companyId", sha256, min(name) as name from files group by 1, 2 order by 1, 2',
  )
  const missing: MissingFile[] = []
  let stored: { companyId: number; keys: Set<string> } | undefined
  for (const row of rows) {
    if (stored?.companyId !== row.companyId)
      stored = { companyId: row.companyId, keys: new Set(await files.list(String(row.companyId))) }
    if (!stored.keys.has(getFileKey(row))) missing.push(toMissingFile(row))
  }
  return { recorded: rows.length, missing: await filterRecorded({ $client }, missing) }
}

/** Those that a record still names now: what was erased in the meantime is not missing. */
async function filterRecorded(db: Pick<Db, '$client'>, missing: MissingFile[]): Promise<MissingFile[]> {
  const recorded = new Set(
    (
      await loadRecordedFiles(
        db,
        missing.map(({ key }) => key),
      )
    ).map(({ key }) => key),
  )
  return missing.filter(({ key }) => recorded.has(key))
}

/** Of these keys of the store, those that a record names now, with the name it was given. */
export async function loadRecordedFiles({ $client }: Pick<Db, '$client'>, keys: string[]): Promise<MissingFile[]> {
  if (!keys.length) return []
  const { rows } = await $client.query<RecordedFile>(
    `select company_id as "companyId", sha256, min(name) as name from files
      where sha256 = any($1) and company_id || '/' || sha256 = any($2) group by 1, 2 order by 1, 2`,
    [keys.map((key) => key.split('/')[1]), keys],
  )
  return rows.map(toMissingFile)
}

const HASH_CHARACTERS = 12
const describeFile = ({ key, name }: { key: string; name?: string }) => {
  const short = key.slice(0, key.indexOf('/') + 1 + HASH_CHARACTERS)
  return name ? `${name} (${short})` : short
}

/** How many are missing and the first of them; by name only for who may read the database. */
export function describeMissingFiles(missing: { key: string; name?: string }[], recorded: number): string {
  const others = missing.length - MAX_NAMED_FILES
  const named = missing.slice(0, MAX_NAMED_FILES).map(describeFile).join(', ')
  return (
    `${formatCount(missing.length, 'fichier enregistré', 'fichiers enregistrés')} sur ${formatFrenchNumber(recorded)} ` +
    `${missing.length < 2 ? 'manque' : 'manquent'}\u00a0: ${named}${others > 0 ? ` et ${formatCount(others, 'autre', 'autres')}` : ''}`
  )
}

/** What to look at first: most often the address is the wrong one. */
export const describeMissingFilesRemedy = ({ FILES_S3_BUCKET, dataDir }: Config) =>
  FILES_S3_BUCKET
    ? `Vérifiez FILES_S3_*\u00a0: les fichiers sont cherchés dans le compartiment ${FILES_S3_BUCKET}. S’ils sont perdus, restaurez-les depuis une copie plus ancienne.`
    : `Vérifiez DATA_DIR\u00a0: les fichiers sont cherchés dans ${dataDir}/files. S’ils sont perdus, restaurez-les depuis une copie plus ancienne.`

/** Said only where something is missing: otherwise the files are counted with the rows. */
export function checkMissingFiles(manifest: Manifest): Finding[] {
  if (isCopyComplete(manifest)) return []
  const { count, missing } = manifest.files
  const named = missing.map((key) => ({ key }))
  return [{ label: 'Fichiers', ok: false, detail: `${describeMissingFiles(named, count + missing.length)}.` }]
}
