import type { BankFeeFact, PayoutFact } from '@voisol/money/accounts/build-entries'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity, PartyFinder } from './book-entity.ts'

/** An ignored line that is a bank fee: money that left, with a label or reason that says so. */
export const BANK_FEE_SQL = sql`l.status = 'ignored' and l.amount < 0
  and (l.reason || ' ' || l.label) ~* '(frais|commission|cotisation|agios|tenue de compte)'`

/** Bank fees on the accounts of the entity that no locked month holds yet. */
export async function loadBankFees(db: Db, { companyId, id }: Entity): Promise<BankFeeFact[]> {
  const { rows } = await db.execute<{ id: string; cents: string; day: string; ref: string; label: string }>(sql`
    select l.id, case when l.status = 'posted' then l.charge else -l.amount end as cents, l.booked_on::text as day,
           coalesce(nullif(l.reference, ''), left(l.id::text, 8)) as ref, left(l.label, 80) as label
      from bank_lines l
      join bank_accounts a on a.company_id = l.company_id and a.id = l.account_id
     where l.company_id = ${companyId} and a.owner_id = ${id}
       and (l.status = 'posted' and l.charge > 0 and l.online_account_id is null or ${BANK_FEE_SQL})
       and not exists (select 1 from book_entries e where e.company_id = l.company_id and e.seller_id = ${id}
             and e.source = 'bank-fee:' || l.id)
     order by l.booked_on, l.id`)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

type Row = { id: string; seller_id: string; owner_id: string; cents: string; day: string; ref: string }

/** Payouts to producers from the entity's accounts, or to the entity from another's, not yet in a locked month. */
export async function loadPayoutFacts(
  db: Db,
  { companyId, id }: Entity,
  direction: 'payout' | 'payout-in',
  parties: PartyFinder,
): Promise<PayoutFact[]> {
  const own = direction === 'payout' ? sql`a.owner_id = ${id}` : sql`p.seller_id = ${id}`
  const { rows } = await db.execute<Row>(sql`
    select p.id, p.seller_id, a.owner_id, p.amount as cents, p.paid_on::text as day, p.end_to_end_id as ref
      from payouts p join bank_accounts a on a.company_id = p.company_id and a.id = p.account_id
     where p.company_id = ${companyId} and ${own} and p.status = 'paid' and p.amount > 0
       and not exists (select 1 from book_entries e where e.company_id = p.company_id and e.seller_id = ${id}
             and e.source = ${`${direction}:`}::text || p.id)
     order by p.paid_on, p.id`)
  return rows.map((row) => ({
    id: row.id,
    cents: Number(row.cents),
    day: row.day,
    ref: row.ref,
    producer: parties.seller(row.seller_id),
    payer: parties.seller(row.owner_id),
  }))
}
