import { access, constants, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { type Finding, fault, giga, good, mega, warning } from './finding.ts'

const CHECK = 'disk'
type Left = { bavail: number; bsize: number; blocks: number }
type Look = (folder: string) => Promise<Left>

const LEAST_BYTES = 500_000_000
const LITTLE = 0.15

async function checkFolder(what: string, folder: string, look: Look): Promise<Finding[]> {
  const writable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return [
      fault(
        CHECK,
        `${what} ${folder} absent ou protégé en écriture`,
        'Créez-le, et donnez-le au compte qui lance Voisol.',
      ),
    ]
  const { bavail, bsize, blocks } = await look(folder)
  const [free, share] = [bavail * bsize, bavail / Math.max(1, blocks)]
  const text = `${what} ${folder}\u00a0: ${giga(free)} libres`
  if (free < LEAST_BYTES || share < LITTLE / 3)
    return [fault(CHECK, text, 'Libérez de la place ou agrandissez le disque avant qu’une écriture ne soit refusée.')]
  if (share < LITTLE) return [warning(CHECK, text, 'Prévoyez un disque plus grand, ou gardez moins de copies.')]
  return [good(CHECK, text)]
}

const lookAt: Look = async (folder) => {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { bavail: Number(bavail), bsize: Number(bsize), blocks: Number(blocks) }
}

export async function checkDisk({ dataDir, BACKUP_FOLDER }: Config, look = lookAt): Promise<Finding[]> {
  const data = await checkFolder('Dossier de données', dataDir, look)
  return BACKUP_FOLDER ? [...data, ...(await checkFolder('Dossier des copies', resolve(BACKUP_FOLDER), look))] : data
}

/** Only PostgreSQL itself sees the disk of another machine: its size is all that can be told. */
export async function checkDatabaseSize({ $client }: Db, isOurs: boolean): Promise<Finding[]> {
  const { rows } = await $client.query<{ size: number }>('select pg_database_size(current_database())::float8 as size')
  const where = isOurs
    ? 'dans le dossier de données'
    : 'sur la machine de PostgreSQL, dont le disque ne se voit pas d’ici'
  return [good('database', `Base de ${mega(rows[0]?.size ?? 0)}, ${where}`)]
}
