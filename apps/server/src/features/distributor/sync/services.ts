import type { Fault } from '../../../adapters/enedis/faults.ts'
import type { Enedis } from '../../../adapters/enedis/types.ts'
import type { Claimed } from './claim.ts'
import { membersOf } from './members.ts'
import { failureOf, type Run, report, turn } from './turn.ts'

/** Until when the distributor gives a point's data, or why it does not say it. */
export type Access = { pointId: string; prm: string } & ({ until: string | null } | { fault: Fault; requestId: string })

/** The end of the access of each point of the operation. What one point answers does not change what is asked of the others. */
export async function readAccess(run: Run, client: Enedis, { operationId, from, to }: Claimed): Promise<Access[]> {
  const { companyId } = run.credential
  const members = await membersOf(run.deps.db, { companyId, operationId, span: { from, to } })
  const found: Access[] = []
  for (const { pointId, prm, link } of new Map(members.map((member) => [member.pointId, member])).values()) {
    if (link?.blockedAt) continue
    if (await turn(run)) break
    try {
      const services = await client.services(prm)
      await report(run, {})
      const ends = services.flatMap(({ active, endsOn }) => (active && endsOn ? [endsOn] : []))
      found.push({ pointId, prm, until: ends.sort().at(-1) ?? null })
    } catch (error) {
      const failure = failureOf(error)
      await report(run, { failure })
      found.push({ pointId, prm, fault: failure.fault, requestId: failure.requestId })
    }
  }
  return found
}
