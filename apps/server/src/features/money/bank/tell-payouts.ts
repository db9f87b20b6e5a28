import type { EventData } from '@voisol/contract/events'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { payouts } from '../../../db/schema/index.ts'

type PayoutEventRow = Pick<typeof payouts.$inferSelect, 'id' | 'sellerId' | 'accountId' | 'amount' | 'setOff'>
type PlainPayoutEvent = 'payout.planned' | 'payout.reopened' | 'payout.cancelled'

const toPayoutEventData = ({
  id: payoutId,
  sellerId,
  accountId,
  amount,
  setOff,
}: PayoutEventRow): EventData<PlainPayoutEvent> => ({
  payoutId,
  sellerId,
  accountId,
  amount,
  setOff,
})

export const recordPayoutEvents = (tx: Db, companyId: number, name: PlainPayoutEvent, all: PayoutEventRow[]) =>
  recordEvents(
    tx,
    companyId,
    name,
    all.map((row) => ({ object: row.id, data: toPayoutEventData(row) })),
  )

export const recordPayoutsFiled = (
  tx: Db,
  companyId: number,
  file: { messageId: string; on: string },
  all: PayoutEventRow[],
) =>
  recordEvents(
    tx,
    companyId,
    'payout.filed',
    all.map((row) => ({ object: row.id, data: { ...toPayoutEventData(row), ...file } })),
  )

export const recordPayoutsTransferred = (tx: Db, companyId: number, on: string, all: PayoutEventRow[]) =>
  recordEvents(
    tx,
    companyId,
    'payout.transferred',
    all.map((row) => ({ object: row.id, data: { ...toPayoutEventData(row), on } })),
  )
