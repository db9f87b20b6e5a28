import type { Db } from '../src/db/client.ts'
import { supplierBills } from '../src/db/schema/index.ts'
import { makeParticipant, makePoint } from './factories-participants.ts'

/** A supplier invoice that was checked and found wrong. */
export async function makeSupplierBill(db: Db, { companyId, supplier }: { companyId: number; supplier: string }) {
  const participant = await makeParticipant(db, { companyId })
  const point = await makePoint(db, { companyId })
  const about = { companyId, participantId: participant.id, pointId: point.id, supplier, createdBy: 'Camille' }
  const days = { from: '2026-03-01', to: '2026-04-01', deductedKwh: 91, billedKwh: null }
  const found = { verdict: 'short', expectedWh: 128_413, detail: { sentences: [], parts: [] } }
  const [row] = await db
    .insert(supplierBills)
    .values({ ...about, ...days, ...found })
    .returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}
