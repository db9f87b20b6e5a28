import { APPLICATION_STATE_LABELS, type ApplicationState } from '@voisol/contract/joining-labels'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

export type ApplicationRow = typeof applications.$inferSelect

const NEXT_STATES: Record<ApplicationState, readonly ApplicationState[]> = {
  draft: ['verified', 'withdrawn'],
  verified: ['waiting', 'withdrawn'],
  waiting: ['accepted', 'refused', 'withdrawn'],
  accepted: [],
  refused: [],
  withdrawn: [],
}

/** The column contains no other value: states are written by `moveApplication` or with a new row. */
export const getApplicationState = ({ state }: Pick<ApplicationRow, 'state'>) => state as ApplicationState

/** The only function that changes the state; the caller has locked the row. */
export async function moveApplication(
  tx: Db,
  row: ApplicationRow,
  to: ApplicationState,
  values: Partial<ApplicationRow> = {},
): Promise<ApplicationRow> {
  const from = getApplicationState(row)
  if (!NEXT_STATES[from].includes(to))
    throw new AppError('conflict', {
      message: `Cette demande est «\u00a0${APPLICATION_STATE_LABELS[from].toLowerCase()}\u00a0»\u00a0: elle ne peut plus devenir «\u00a0${APPLICATION_STATE_LABELS[to].toLowerCase()}\u00a0».`,
    })
  const [moved] = await tx
    .update(applications)
    .set({ ...values, state: to, version: row.version + 1 })
    .where(and(eq(applications.companyId, row.companyId), eq(applications.id, row.id)))
    .returning()
  if (!moved) throw new AppError('not-found')
  return moved
}
