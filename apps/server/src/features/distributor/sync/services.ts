import type { DistributorFault } from '../../../adapters/enedis/faults.ts'
import type { EnedisClient } from '../../../adapters/enedis/types.ts'
import type { ClaimedWindow } from './claim.ts'
import { listSyncMembers } from './members.ts'
import { reportOutcome, type SyncRun, toCallFailure, waitForSlot } from './turn.ts'

/** The end of the data access of a point, or why the distributor does not give it. */
export type PointAccess = { pointId: string; prm: string } & (
  | { until: string | null }
  | { fault: DistributorFault; requestId: string }
)

/** The end of the data access of each point of the operation. An error for one point does not stop the others. */
export async function fetchPointAccess(
  run: SyncRun,
  client: EnedisClient,
  { operationId, from, to }: ClaimedWindow,
): Promise<PointAccess[]> {
  const { companyId } = run.credential
  const members = await listSyncMembers(run.deps.db, { companyId, operationId, span: { from, to } })
  const found: PointAccess[] = []
  for (const { pointId, prm, link } of new Map(members.map((member) => [member.pointId, member])).values()) {
    if (link?.blockedAt) continue
    if (await waitForSlot(run)) break
    try {
      const services = await client.services(prm)
      await reportOutcome(run, {})
      const ends = services.flatMap(({ active, endsOn }) => (active && endsOn ? [endsOn] : []))
      found.push({ pointId, prm, until: ends.sort().at(-1) ?? null })
    } catch (error) {
      const failure = toCallFailure(error)
      await reportOutcome(run, { failure })
      found.push({ pointId, prm, fault: failure.fault, requestId: failure.requestId })
    }
  }
  return found
}
