import { DELIVERY_STATE_LABELS, type DeliveryReport, type TrackedState } from '@voisol/contract/invoice-views'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { addDeliveryStep, loadLastDeliveryState } from './deliveries.ts'
import type { InvoiceRecord } from './find.ts'

/** State changes of a document delivered by a third party; a rejected one can be deposited again. */
const NEXT_STATES: Record<string, readonly TrackedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'rejected', 'paid'],
  available: ['rejected', 'paid'],
  rejected: ['deposited'],
  paid: [],
}
const CHANNEL_LABELS = { chorus: 'Chorus Pro', pa: 'la plateforme agréée' } as const
const getStateLabel = (state: string) => (DELIVERY_STATE_LABELS as Record<string, string>)[state] ?? state // unknown: shown as is

/** Whether a state may follow the last one; `same` means there is nothing to record. */
export function checkTransition(last: string | undefined, state: TrackedState): 'new' | 'same' | 'no' {
  if (last === state) return 'same'
  return last !== undefined && NEXT_STATES[last]?.includes(state) ? 'new' : 'no'
}

type DeliveryStateInput = z.output<typeof DeliveryReport> & { by: string; key?: string }

/** Records the state of a document on its channel; recording it twice changes nothing. */
export async function recordDeliveryState(
  tx: Db,
  invoice: InvoiceRecord,
  { channel, state, detail, by, key }: DeliveryStateInput,
) {
  const last = await loadLastDeliveryState(tx, invoice, channel)
  const verdict = checkTransition(last, state)
  if (verdict === 'same') return
  if (verdict === 'no')
    throw new AppError('conflict', {
      message: last
        ? `La facture ${invoice.number} est «\u00a0${getStateLabel(last)}\u00a0» sur ${CHANNEL_LABELS[channel]}\u00a0: elle ne peut pas devenir «\u00a0${getStateLabel(state)}\u00a0».`
        : `La facture ${invoice.number} n’a pas été envoyée par ${CHANNEL_LABELS[channel]}\u00a0: envoyez-la d’abord.`,
    })
  await addDeliveryStep(tx, invoice, { channel, state, detail, by, ...(key && { id: toStableId(key) }) })
}
