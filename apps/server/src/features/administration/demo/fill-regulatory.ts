import { and, eq } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { regulatoryExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { TILLEULS_ID } from '../../../world/ids.ts'
import { createRegulatoryExport, recordExportSending } from '../../understanding/regulatory/regulatory.ts'

/**
 * The annexes of the first operation as they were sent to the distributor: created once, and not changed by later
 * edits.
 */
export async function fillRegulatory(deps: Deps, actor: Actor) {
  const { companyId } = actor
  const where = and(eq(regulatoryExports.companyId, companyId), eq(regulatoryExports.operationId, TILLEULS_ID))
  const [known] = await deps.db.select({ id: regulatoryExports.id }).from(regulatoryExports).where(where).limit(1)
  if (known) return
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    for (const kind of ['consumers', 'producers'] as const) {
      const { id } = await createRegulatoryExport(tx, deps, actor, { operationId: TILLEULS_ID, kind, period: '' })
      const sent = { sentOn: getToday(), to: 'Enedis, guichet autoconsommation collective', channel: 'mail' as const }
      await recordExportSending(tx, actor, id, { ...sent, note: '' })
    }
  })
}
