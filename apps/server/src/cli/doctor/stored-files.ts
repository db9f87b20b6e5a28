import { randomUUID } from 'node:crypto'
import type { FileStore } from '../../adapters/files/files.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  describeMissingFiles,
  describeMissingFilesRemedy,
  findMissingFiles,
} from '../../features/administration/backups/backups.ts'
import { isOtherFileStoreInUse } from '../../same-files.ts'
import { createFaultFinding, createOkFinding, type DoctorFinding, getErrorMessage } from './finding.ts'

const CHECK = 'files'

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
        CHECK,
        `Les fichiers ne se gardent pas\u00a0: ${broken}`,
        config.FILES_S3_BUCKET
          ? 'Vérifiez FILES_S3_* et les droits de la clé sur le compartiment (lire, écrire, effacer, lister).'
          : 'Vérifiez les droits et la place de DATA_DIR/files.',
      ),
    )
  else if (await isOtherFileStoreInUse({ db, files }))
    found.push(
      createFaultFinding(
        CHECK,
        'Un autre processus sert cette base avec d’autres fichiers',
        'Partagez DATA_DIR/files entre les machines, ou donnez-leur le même FILES_S3_*\u00a0: un fichier reçu par l’une est cherché par l’autre.',
      ),
    )
  if (found.length) return found
  const { recorded, missing } = await findMissingFiles(db, files)
  const kept = createOkFinding(CHECK, 'Fichiers écrits, relus et effacés')
  if (!missing.length) return [kept]
  return [kept, createFaultFinding(CHECK, describeMissingFiles(missing, recorded), describeMissingFilesRemedy(config))]
}
