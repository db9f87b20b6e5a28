import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity } from './entity.ts'

export type AmountsWithoutBankLine = { before: number; since: number }

/**
 * Whether a bank line that is still posted proves this payment. A return that a notice announced first is proved by the
 * line of its debit.
 */
const hasBankLineSql = (companyId: number) => sql`coalesce(case split_part(p.source, ':', 1)
    when 'entry' then split_part(p.source, ':', 2) || ':' || split_part(p.source, ':', 3)
    when 'debit' then split_part(p.source, ':', 3) || ':' || split_part(p.source, ':', 4) end
  in (select l.id || ':' || l.round from bank_lines l where l.company_id = ${companyId} and l.status = 'posted')
  or p.source like 'return:%' and split_part(p.source, ':', 2)
  in (select d.debit_id::text from bank_line_debits d where d.company_id = ${companyId} and d.effect = 'returned'), false)`

/**
 * Amounts on the bank account in the books that are on no statement: entered by hand, or older than the first
 * statement, up to the last one.
 */
export async function loadAmountsWithoutBankLine(
  db: Db,
  { companyId, id }: Entity,
  { first, last }: { first: string; last: string },
): Promise<AmountsWithoutBankLine> {
  const { rows } = await db.execute<{ before: string; since: string }>(sql`
    with moved as (
      select p.booked_on as day,
             p.amount * case when coalesce(o.kind, p.kind) = 'receipt' then 1 else -1 end
                      * case when p.kind in ('return', 'undo') then -1 else 1 end as cents
        from payments p
        left join payments o on o.company_id = p.company_id and o.id = p.reverses_id
        left join bank_accounts a on a.company_id = p.company_id and a.id = coalesce(p.account_id, o.account_id)
       where p.company_id = ${companyId} and coalesce(o.kind, p.kind) in ('receipt', 'refund')
         and coalesce(o.method, p.method) <> 'setOff'
         and (a.owner_id = ${id} and a.kind = 'bank'
           or a.id is null and p.seller_id = ${id} and coalesce(o.method, p.method) <> 'cash')
         and not ${hasBankLineSql(companyId)}
      union all
      select p.paid_on, case when a.owner_id = ${id} then -p.amount else p.amount end
        from payouts p join bank_accounts a on a.company_id = p.company_id and a.id = p.account_id
       where p.company_id = ${companyId} and p.status = 'paid' and p.amount > 0
         and (p.seller_id = ${id} and a.owner_id <> ${id}
           or a.owner_id = ${id} and p.line_id is null and not exists (select 1 from bank_lines l
                where l.company_id = p.company_id and l.account_id = p.account_id
                  and l.end_to_end_id = p.end_to_end_id)))
    select coalesce(sum(cents) filter (where day < ${first}::date), 0) as before,
           coalesce(sum(cents) filter (where day >= ${first}::date), 0) as since
      from moved where day <= ${last}::date`)
  return { before: Number(rows[0]?.before), since: Number(rows[0]?.since) }
}
