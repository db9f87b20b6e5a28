import type { CheckItem } from '@voisol/contract/billing'
import { and, count, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { pastDocuments } from '../../../db/schema/index.ts'
import { plural } from '../../../french.ts'

export const ELSEWHERE = 'elsewhere'
const HREF = '/advanced-billing?tab=reprise'

/** By month, how many documents of another program were taken over. */
export async function billedElsewhere(db: Db, companyId: number, operationId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ month: pastDocuments.month, documents: count() })
    .from(pastDocuments)
    .where(and(eq(pastDocuments.companyId, companyId), eq(pastDocuments.operationId, operationId)))
    .groupBy(pastDocuments.month)
  return new Map(rows.map(({ month, documents }) => [month, documents]))
}

/** A month that another program has billed: closed here as well, its energy would be invoiced twice. */
export async function elsewhereItems(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<CheckItem[]> {
  const documents = (await billedElsewhere(db, companyId, operationId)).get(month)
  if (!documents) return []
  const sentence = `Ce mois a été facturé ailleurs (${plural(documents, 'document repris', 'documents repris')})\u00a0: le clôturer ici facturerait la même énergie une seconde fois.`
  return [{ code: ELSEWHERE, level: 'warning', sentence, href: HREF }]
}
