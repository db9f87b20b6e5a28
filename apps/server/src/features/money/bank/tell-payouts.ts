import type { EventData } from '@voisol/contract/events'
import { recordEach } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { payouts } from '../../../db/schema/index.ts'

type Row = Pick<typeof payouts.$inferSelect, 'id' | 'sellerId' | 'accountId' | 'amount' | 'setOff'>
type Plain = 'payout.planned' | 'payout.reopened' | 'payout.cancelled'

const namesOf = ({ id: payoutId, sellerId, accountId, amount, setOff }: Row): EventData<Plain> => ({
  payoutId,
  sellerId,
  accountId,
  amount,
  setOff,
})

export const tellPayouts = (tx: Db, companyId: number, name: Plain, all: Row[]) =>
  recordEach(
    tx,
    companyId,
    name,
    all.map((row) => ({ object: row.id, data: namesOf(row) })),
  )

export const tellFiled = (tx: Db, companyId: number, file: { messageId: string; on: string }, all: Row[]) =>
  recordEach(
    tx,
    companyId,
    'payout.filed',
    all.map((row) => ({ object: row.id, data: { ...namesOf(row), ...file } })),
  )

export const tellTransferred = (tx: Db, companyId: number, on: string, all: Row[]) =>
  recordEach(
    tx,
    companyId,
    'payout.transferred',
    all.map((row) => ({ object: row.id, data: { ...namesOf(row), on } })),
  )
