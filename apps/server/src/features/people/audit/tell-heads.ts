import { asc, gt } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { auditHeads } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { takeHeadsSnapshot } from './heads.ts'

/**
 * Each company hears of its own head once a day: whoever keeps it outside can show a tail that was cut. It leaves no audit
 * entry, which would move the head it tells of.
 */
export async function recordAuditHeads(db: Db, secrets: Secrets, day: string): Promise<void> {
  const companiesWithHead = await db
    .select({ companyId: auditHeads.companyId })
    .from(auditHeads)
    .where(gt(auditHeads.companyId, 0))
    .orderBy(asc(auditHeads.companyId))
  for (const { companyId } of companiesWithHead)
    await transaction(scopeToCompany(db, companyId), async (tx) => {
      const data = await takeHeadsSnapshot(tx, secrets, day, companyId)
      if (data.heads.length)
        await recordEvent(tx, { companyId, name: 'audit.head-noted', object: String(companyId), data, once: day })
    })
}
