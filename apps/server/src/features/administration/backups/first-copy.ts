import { transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findLastCopyRunStart } from './runs.ts'

/** Where none was ever made, one is made, read again and restored, beside what else goes on; without a key there is none. */
export const requestFirstCopy = ({ db, config }: Pick<Deps, 'db' | 'config'>, askedBy: string): Promise<void> =>
  transaction(db, async (tx) => {
    if (!config.backupKey || (await findLastCopyRunStart(tx, 'copy'))) return
    await enqueue(tx, 'copies.make', { askedBy, prove: true }, { once: 'copy' })
  })
