import { randomUUID } from 'node:crypto'
import type { FileStore } from '../../adapters/files/files.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  describeMissingFiles,
  findMissingFiles,
  missingFilesRemedy,
} from '../../features/administration/backups/backups.ts'
import { othersSee } from '../../same-files.ts'
import { explain, type Finding, fault, good } from './finding.ts'

const CHECK = 'files'

/** What is written comes back, and goes. */
async function tryStore(files: FileStore): Promise<string | undefined> {
  const key = `doctor/${randomUUID()}`
  const content = Buffer.from(key)
  try {
    await files.put(key, content, 'text/plain')
    const back = await files.get(key)
    await files.remove(key)
    return back && content.equals(Buffer.from(back)) ? undefined : 'ce qui est écrit ne revient pas'
  } catch (error) {
    return explain(error)
  }
}

export async function checkFiles(files: FileStore, db: Db, config: Config): Promise<Finding[]> {
  const broken = await tryStore(files)
  const found: Finding[] = []
  if (broken)
    found.push(
      fault(
        CHECK,
        `Les fichiers ne se gardent pas\u00a0: ${broken}`,
        config.FILES_S3_BUCKET
          ? 'Vérifiez FILES_S3_* et les droits de la clé sur le compartiment (lire, écrire, effacer, lister).'
          : 'Vérifiez les droits et la place de DATA_DIR/files.',
      ),
    )
  else if (await othersSee({ db, files }))
    found.push(
      fault(
        CHECK,
        'Un autre processus sert cette base avec d’autres fichiers',
        'Partagez DATA_DIR/files entre les machines, ou donnez-leur le même FILES_S3_*\u00a0: un fichier reçu par l’une est cherché par l’autre.',
      ),
    )
  if (found.length) return found
  const { recorded, missing } = await findMissingFiles(db, files)
  const kept = good(CHECK, 'Fichiers écrits, relus et effacés')
  if (!missing.length) return [kept]
  return [kept, fault(CHECK, describeMissingFiles(missing, recorded), missingFilesRemedy(config))]
}
