import { describeReturn } from '@voisol/contract/return-codes'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../settings/settings.ts'

/**
 * Describes why a debit came back and what follows, by the settings of the day; a second presentation is never
 * repeated.
 */
export async function loadReturnDescriber(
  db: Db,
  companyId: number,
): Promise<(debitId: string, code: string) => string> {
  const retryDays = (await loadSettingsOn(db, companyId, getToday()))['debit.retryDays'].value
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct d.id from debits d
      join debit_invoices i on i.company_id = d.company_id and i.debit_id = d.id
      join debit_invoices j on j.company_id = i.company_id and j.invoice_id = i.invoice_id and j.debit_id <> i.debit_id
      join debits e on e.company_id = j.company_id and e.id = j.debit_id
     where d.company_id = ${companyId} and e.status = 'returned' and e.mandate_id = d.mandate_id
       and e.created_at < d.created_at`)
  const second = new Set(rows.map(({ id }) => id))
  return (debitId, code) => describeReturn(code, retryDays, second.has(debitId))
}
