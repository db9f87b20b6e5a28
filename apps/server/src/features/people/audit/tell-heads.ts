import { asc, gt } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { auditHeads } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { takeHeadsSnapshot } from './heads.ts'

/**
 * Sends each company its own chain head once a day: a copy kept elsewhere proves a removal of the last entries. No
 * audit entry is written, since it would change the head.
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
