import { join, resolve } from 'node:path'
import type { Config } from '../../../config.ts'
import { createFolderStore, type FileStore } from '../../../integrations/files/files.ts'
import { createS3Store } from '../../../integrations/files/s3.ts'
import { CopyFault, SignedManifest } from './copy-format.ts'

export const COPIES_PREFIX = 'copies'
export const getCopyContentKey = (name: string) => `${COPIES_PREFIX}/${name}.voisol`
export const getCopyManifestKey = (name: string) => `${COPIES_PREFIX}/${name}.json`

/** The folder of this machine that holds them, where no bucket does. */
export const getCopiesFolder = ({ BACKUP_FOLDER, dataDir }: Config) =>
  BACKUP_FOLDER ? resolve(BACKUP_FOLDER) : join(dataDir, 'backups')

/** Where copies of the installation are kept: a bucket of their own, or a folder. */
export function openCopyStore(config: Config): FileStore {
  const bucket = createS3Store({
    FILES_S3_ENDPOINT: config.BACKUP_S3_ENDPOINT,
    FILES_S3_BUCKET: config.BACKUP_S3_BUCKET,
    FILES_S3_REGION: config.BACKUP_S3_REGION,
    FILES_S3_KEY_ID: config.BACKUP_S3_KEY_ID,
    FILES_S3_SECRET: config.BACKUP_S3_SECRET,
  })
  return bucket ?? createFolderStore(getCopiesFolder(config))
}

/** For people: what they would look for. */
export const describeCopyStore = (config: Config) =>
  config.BACKUP_S3_BUCKET ? `S3, ${config.BACKUP_S3_BUCKET}` : `Dossier ${getCopiesFolder(config)}`

export const NO_BACKUP_KEY_MESSAGE =
  'BACKUP_KEY manque\u00a0: aucune copie de l’installation n’est faite. ' +
  'Donnez-la au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY.'

export function requireBackupKey({ backupKey }: Config): string {
  if (backupKey) return backupKey
  throw new CopyFault(
    'BACKUP_KEY manque\u00a0: une copie est chiffrée avec une clé qui n’est pas dedans. Donnez-la au serveur (openssl rand -base64 32) et gardez-la ailleurs.',
  )
}

async function readSignedManifest(place: FileStore, key: string): Promise<SignedManifest | undefined> {
  const raw = await place.get(key)
  const parsed = SignedManifest.safeParse(parseJson(raw))
  return parsed.success ? parsed.data : undefined
}

function parseJson(raw: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(raw ?? []).toString())
  } catch {
    return undefined
  }
}

/** Those that were ended, newest first: the sheet of one is written after all of it. */
export async function listCopies(place: FileStore): Promise<SignedManifest[]> {
  const keys = await place.list(COPIES_PREFIX)
  const there = new Set(keys)
  const found: SignedManifest[] = []
  for (const key of keys.filter((one) => one.endsWith('.json'))) {
    const signedManifest = await readSignedManifest(place, key)
    if (
      signedManifest &&
      key === getCopyManifestKey(signedManifest.manifest.name) &&
      there.has(getCopyContentKey(signedManifest.manifest.name))
    )
      found.push(signedManifest)
  }
  return found.sort((a, b) => (a.manifest.madeAt < b.manifest.madeAt ? 1 : -1))
}

/** The sheet goes first: what is left of a removal cut short is no copy. */
export async function removeCopy(place: FileStore, name: string): Promise<void> {
  await place.remove(getCopyManifestKey(name))
  await place.remove(getCopyContentKey(name))
}
