import { join, resolve } from 'node:path'
import type { FileStore } from '../../../adapters/files/files.ts'
import { folderStore } from '../../../adapters/files/folder.ts'
import { s3Store } from '../../../adapters/files/s3.ts'
import type { Config } from '../../../config.ts'
import { CopyFault } from './fault.ts'
import { Sheet } from './manifest.ts'

export const FOLDER = 'copies'
export const contentKey = (name: string) => `${FOLDER}/${name}.voisol`
export const sheetKey = (name: string) => `${FOLDER}/${name}.json`

/** The folder of this machine that holds them, where no bucket does. */
export const copiesFolder = ({ BACKUP_FOLDER, dataDir }: Config) =>
  BACKUP_FOLDER ? resolve(BACKUP_FOLDER) : join(dataDir, 'backups')

/** Where copies of the installation are kept: a bucket of their own, or a folder. */
export function placeOf(config: Config): FileStore {
  const bucket = s3Store({
    FILES_S3_ENDPOINT: config.BACKUP_S3_ENDPOINT,
    FILES_S3_BUCKET: config.BACKUP_S3_BUCKET,
    FILES_S3_REGION: config.BACKUP_S3_REGION,
    FILES_S3_KEY_ID: config.BACKUP_S3_KEY_ID,
    FILES_S3_SECRET: config.BACKUP_S3_SECRET,
  })
  return bucket ?? folderStore(copiesFolder(config))
}

/** For people: what they would look for. */
export const placeName = (config: Config) =>
  config.BACKUP_S3_BUCKET ? `S3, ${config.BACKUP_S3_BUCKET}` : `Dossier ${copiesFolder(config)}`

export const NO_BACKUP_KEY =
  'BACKUP_KEY manque\u00a0: aucune copie de l’installation n’est faite. ' +
  'Donnez-la au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY.'

export function keyOf({ backupKey }: Config): string {
  if (backupKey) return backupKey
  throw new CopyFault(
    'BACKUP_KEY manque\u00a0: une copie est chiffrée avec une clé qui n’est pas dedans. Donnez-la au serveur (openssl rand -base64 32) et gardez-la ailleurs.',
  )
}

async function readSheet(place: FileStore, key: string): Promise<Sheet | undefined> {
  const raw = await place.get(key)
  const parsed = Sheet.safeParse(parse(raw))
  return parsed.success ? parsed.data : undefined
}

function parse(raw: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(raw ?? []).toString())
  } catch {
    return undefined
  }
}

/** Those that were ended, newest first: the sheet of one is written after all of it. */
export async function listCopies(place: FileStore): Promise<Sheet[]> {
  const keys = await place.list(FOLDER)
  const there = new Set(keys)
  const sheets: Sheet[] = []
  for (const key of keys.filter((one) => one.endsWith('.json'))) {
    const sheet = await readSheet(place, key)
    if (sheet && key === sheetKey(sheet.manifest.name) && there.has(contentKey(sheet.manifest.name))) sheets.push(sheet)
  }
  return sheets.sort((a, b) => (a.manifest.madeAt < b.manifest.madeAt ? 1 : -1))
}

/** The sheet goes first: what is left of a removal cut short is no copy. */
export async function removeCopy(place: FileStore, name: string): Promise<void> {
  await place.remove(sheetKey(name))
  await place.remove(contentKey(name))
}
