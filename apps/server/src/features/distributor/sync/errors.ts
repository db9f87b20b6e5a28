import { sql } from 'drizzle-orm'
import type { DistributorFault } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { syncErrors } from '../../../db/schema/index.ts'

export type LogSyncErrorInput = {
  companyId: number
  fault: DistributorFault
  operationId?: string | null | undefined
  pointId?: string | null | undefined
  /** The number of the point or operation, or the name of the file. */
  subject: string
  taskId?: string | null | undefined
  requestId?: string | undefined
  /** The hash under which the raw answer is archived. */
  sha256?: string | null | undefined
  at: Date
}

/** The remedy, formatted for the end of a message. */
export const formatRemedy = ({ remedy }: Pick<DistributorFault, 'remedy'>) =>
  `À faire\u00a0: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`

/** One open line per cause and subject: a repetition only increases its count. */
export async function logSyncError(
  tx: Db,
  { companyId, fault, subject, at, ...more }: LogSyncErrorInput,
): Promise<void> {
  const { code, nature } = fault
  const { operationId = null, pointId = null, taskId = null, requestId = '', sha256 = null } = more
  await tx
    .insert(syncErrors)
    .values({
      companyId,
      code,
      nature,
      fault,
      subject,
      operationId,
      pointId,
      taskId,
      requestId,
      sha256,
      firstAt: at,
      lastAt: at,
    })
    .onConflictDoUpdate({
      target: [syncErrors.companyId, syncErrors.code, syncErrors.subject],
      targetWhere: sql`${syncErrors.handledAt} is null`,
      set: {
        times: sql`${syncErrors.times} + 1`,
        lastAt: sql`greatest(${syncErrors.lastAt}, excluded.last_at)`,
        fault,
        operationId,
        pointId,
        taskId,
        requestId,
        sha256,
      },
    })
}
