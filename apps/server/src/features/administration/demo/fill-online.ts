import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedLocalProvider } from '../../money/online/online.ts'
import { loadSellers } from '../../money/parties/parties.ts'
import { checkSupplierBill, listSupplierBills } from '../../money/supplier-bills/supplier-bills.ts'

/** The most recent month whose runs are definitive in every operation. */
const MONTHS_AGO = 3
const DEDUCTED_KWH = 17

type Home = { pointId: string }
/** A consumption point whose holder uses the portal. */
const buildHomeQuery = (companyId: number, day: string) => sql`
  select m.point_id as "pointId" from participations m
    join participants p on p.company_id = m.company_id and p.id = m.participant_id and p.user_id is not null
    join points o on o.company_id = m.company_id and o.id = m.point_id and o.direction = 'consumption'
   where m.company_id = ${companyId} and m.starts_on <= ${day} and (m.ends_on is null or m.ends_on > ${addDays(day, 31)})
   order by m.point_id limit 1`

/** Creates invoices payable on the payment simulator, and a supplier bill with too small a deduction. */
export async function fillOnline(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const sellers = await loadSellers(tx, companyId)
    const owner = sellers.find(({ participantId }) => participantId === null) ?? sellers[0]
    if (!owner) return
    await seedLocalProvider(tx, deps.secrets, companyId, owner)
    if ((await listSupplierBills(tx, actor)).length > 0) return
    const from = addMonths(monthOf(today), -MONTHS_AGO)
    const { rows } = await tx.execute<Home>(buildHomeQuery(companyId, from))
    const [home] = rows
    if (!home) return
    const bill = {
      supplier: 'Fournisseur historique',
      number: 'F-2026-41877',
      deductedKwh: DEDUCTED_KWH,
      billedKwh: null,
    }
    await checkSupplierBill(tx, actor, { ...bill, pointId: home.pointId, from, to: addMonths(from, 1) })
  })
}
