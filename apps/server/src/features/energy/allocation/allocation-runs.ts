import type { SignOff } from '@voisol/contract/allocations'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'

import type { EstimateBy } from './run-input.ts'

/** As it is stored: with the data it was given for, and whoever gave it, unless the run was imported from another company. */
export type StoredSignOff = z.infer<typeof SignOff> & { userId?: string; inputHash: string }

type AllocationRunKind = 'provisional' | 'definitive'
type AllocationRunDbRow = typeof allocationRuns.$inferSelect
export type RunRow = Omit<AllocationRunDbRow, 'kind' | 'estimateBy'> & {
  kind: AllocationRunKind
  estimateBy: EstimateBy
}

export const toRunRow = (row: AllocationRunDbRow): RunRow => ({
  ...row,
  kind: row.kind as AllocationRunKind, // the column only stores the two kinds
  estimateBy: row.estimateBy as EstimateBy, // as above
})

export async function findAllocationRun(db: Db, companyId: number, id: string): Promise<RunRow | undefined> {
  const where = and(eq(allocationRuns.companyId, companyId), eq(allocationRuns.id, id))
  const [row] = await db.select().from(allocationRuns).where(where)
  return row && toRunRow(row)
}

export type RunRequest = {
  companyId: number
  operationId: string
  from: string
  to: string
  kind: AllocationRunKind
  estimated: boolean
  estimateBy?: EstimateBy
}

const isSameRequest = ({ companyId, operationId, from, to, kind }: RunRequest) =>
  and(
    eq(allocationRuns.companyId, companyId),
    eq(allocationRuns.operationId, operationId),
    eq(allocationRuns.startsOn, from),
    eq(allocationRuns.endsOn, to),
    eq(allocationRuns.kind, kind),
  )

/** A queued or running run of the same kind for the same period. */
export async function findPendingRun(db: Db, request: RunRequest): Promise<RunRow | undefined> {
  const where = and(isSameRequest(request), inArray(allocationRuns.status, ['queued', 'running']))
  const [row] = await db.select().from(allocationRuns).where(where).limit(1)
  return row && toRunRow(row)
}

/** A finished run with the same input, whose result would be the same. */
export async function findEquivalentRun(db: Db, request: RunRequest, inputHash: string): Promise<RunRow | undefined> {
  const where = and(
    isSameRequest(request),
    eq(allocationRuns.status, 'done'),
    eq(allocationRuns.estimated, request.estimated),
    eq(allocationRuns.inputHash, inputHash),
    isNull(allocationRuns.staleAt),
  )
  const [row] = await db.select().from(allocationRuns).where(where).orderBy(desc(allocationRuns.createdAt)).limit(1)
  return row && toRunRow(row)
}

export async function insertRun(
  tx: Db,
  request: RunRequest,
  createdBy: string | null,
  { signOff = null, keyId = null }: { signOff?: StoredSignOff | null; keyId?: string | null | undefined } = {},
): Promise<RunRow> {
  const { companyId, operationId, from: startsOn, to: endsOn, kind, estimated, estimateBy = 'own' } = request
  const [row] = await tx
    .insert(allocationRuns)
    .values({
      companyId,
      operationId,
      startsOn,
      endsOn,
      kind,
      estimated,
      estimateBy,
      signOff,
      createdBy,
      keyId,
      status: 'queued',
      engineVersion: ENGINE_VERSION,
    })
    .returning()
  if (!row) throw new Error('the run was not created')
  return toRunRow(row)
}
