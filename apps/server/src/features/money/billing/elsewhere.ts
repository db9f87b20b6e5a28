import type { CheckItem } from '@voisol/contract/billing'
import { and, count, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { pastDocuments } from '../../../db/schema/index.ts'
import { formatCount } from '../../../french.ts'

export const BILLED_ELSEWHERE = 'elsewhere'
const TAKEOVER_HREF = '/advanced-billing?tab=reprise'

/** Counts, by month, the documents imported from another billing program. */
export async function countDocumentsBilledElsewhere(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ month: pastDocuments.month, documents: count() })
    .from(pastDocuments)
    .where(and(eq(pastDocuments.companyId, companyId), eq(pastDocuments.operationId, operationId)))
    .groupBy(pastDocuments.month)
  return new Map(rows.map(({ month, documents }) => [month, documents]))
}

/** Warns about a month that another program has billed: closing it here would invoice its energy twice. */
export async function checkBilledElsewhere(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<CheckItem[]> {
  const documents = (await countDocumentsBilledElsewhere(db, companyId, operationId)).get(month)
  if (!documents) return []
  const sentence = `Ce mois a été facturé ailleurs (${formatCount(documents, 'document repris', 'documents repris')})\u00a0: le clôturer ici facturerait la même énergie une seconde fois.`
  return [{ code: BILLED_ELSEWHERE, level: 'warning', sentence, href: TAKEOVER_HREF }]
}
