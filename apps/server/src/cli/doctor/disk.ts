import { access, constants, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatGigabytes,
  formatMegabytes,
} from './finding.ts'

const CHECK = 'disk'
type DiskStats = { bavail: number; bsize: number; blocks: number }
type DiskStatsLoader = (folder: string) => Promise<DiskStats>

const MIN_FREE_BYTES = 500_000_000
const LOW_FREE_SHARE = 0.15

async function checkFolder(what: string, folder: string, look: DiskStatsLoader): Promise<DoctorFinding[]> {
  const writable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return [
      createFaultFinding(
        CHECK,
        `${what} ${folder} absent ou protégé en écriture`,
        'Créez-le, et donnez-le au compte qui lance Voisol.',
      ),
    ]
  const { bavail, bsize, blocks } = await look(folder)
  const [free, share] = [bavail * bsize, bavail / Math.max(1, blocks)]
  const text = `${what} ${folder}\u00a0: ${formatGigabytes(free)} libres`
  if (free < MIN_FREE_BYTES || share < LOW_FREE_SHARE / 3)
    return [
      createFaultFinding(
        CHECK,
        text,
        'Libérez de la place ou agrandissez le disque avant qu’une écriture ne soit refusée.',
      ),
    ]
  if (share < LOW_FREE_SHARE)
    return [createWarningFinding(CHECK, text, 'Prévoyez un disque plus grand, ou gardez moins de copies.')]
  return [createOkFinding(CHECK, text)]
}

const loadDiskStats: DiskStatsLoader = async (folder) => {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { bavail: Number(bavail), bsize: Number(bsize), blocks: Number(blocks) }
}

export async function checkDisk({ dataDir, BACKUP_FOLDER }: Config, look = loadDiskStats): Promise<DoctorFinding[]> {
  const data = await checkFolder('Dossier de données', dataDir, look)
  return BACKUP_FOLDER ? [...data, ...(await checkFolder('Dossier des copies', resolve(BACKUP_FOLDER), look))] : data
}

/** The disk of a remote PostgreSQL cannot be read: only its size is reported. */
export async function checkDatabaseSize({ $client }: Db, isOurs: boolean): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<{ size: number }>('select pg_database_size(current_database())::float8 as size')
  const where = isOurs
    ? 'dans le dossier de données'
    : 'sur la machine de PostgreSQL, dont le disque ne se voit pas d’ici'
  return [createOkFinding('database', `Base de ${formatMegabytes(rows[0]?.size ?? 0)}, ${where}`)]
}
