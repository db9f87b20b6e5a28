import { computeLetterings, type Lettering, type LetteringRow } from '@voisol/money/accounts/lettering'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity } from './entity.ts'

/** Matches between debits and credits that are still in force on the accounts of an entity. */
async function loadMatchLinks(db: Db, { companyId, id }: Entity): Promise<[string, string][]> {
  const { rows } = await db.execute<{ debit: string; credit: string }>(sql`
    select coalesce(m.debit_invoice_id, m.debit_payment_id) as debit,
           coalesce(m.credit_invoice_id, m.credit_payment_id) as credit
      from matches m
      left join invoices i on i.company_id = m.company_id and i.id = m.debit_invoice_id
      left join payments p on p.company_id = m.company_id and p.id = m.debit_payment_id
     where m.company_id = ${companyId} and coalesce(i.seller_id, p.seller_id) = ${id}
     group by 1, 2 having sum(m.amount) <> 0`)
  return rows.map(({ debit, credit }) => [debit, credit])
}

/** The lettering of rows such as those of a year: a group that is incomplete among them gets no letter. */
export const loadLetters = async <R extends LetteringRow>(
  db: Db,
  entity: Entity,
  rows: R[],
): Promise<Map<R, Lettering>> => computeLetterings(rows, await loadMatchLinks(db, entity))
