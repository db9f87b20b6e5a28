import { DELIVERY_WORDS, type DeliveryWord, type FollowedState } from '@voisol/contract/invoice-views'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId } from '../../../jobs/job.ts'
import { addStep, lastStep } from './deliveries.ts'
import type { InvoiceRecord } from './find.ts'

/** The life of a document that somebody else carries; a rejected one is deposited again. */
const NEXT: Record<string, readonly FollowedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'rejected', 'paid'],
  available: ['rejected', 'paid'],
  rejected: ['deposited'],
  paid: [],
}
const WAYS = { chorus: 'Chorus Pro', pa: 'la plateforme agréée' } as const
const wordOf = (state: string) => (DELIVERY_WORDS as Record<string, string>)[state] ?? state // others read as they are

/** Whether a state may come after the last one; where it is that one already, there is nothing to say. */
export function canFollow(last: string | undefined, state: FollowedState): 'new' | 'same' | 'no' {
  if (last === state) return 'same'
  return last !== undefined && NEXT[last]?.includes(state) ? 'new' : 'no'
}

type Word = z.output<typeof DeliveryWord> & { by: string; key?: string }

/** Notes what became of a document on its channel; said twice it is there once. */
export async function follow(tx: Db, invoice: InvoiceRecord, { channel, state, detail, by, key }: Word) {
  const last = await lastStep(tx, invoice, channel)
  const verdict = canFollow(last, state)
  if (verdict === 'same') return
  if (verdict === 'no')
    throw new AppError('conflict', {
      message: last
        ? `La facture ${invoice.number} est «\u00a0${wordOf(last)}\u00a0» sur ${WAYS[channel]}\u00a0: elle ne peut pas devenir «\u00a0${wordOf(state)}\u00a0».`
        : `La facture ${invoice.number} n’a pas été envoyée par ${WAYS[channel]}\u00a0: envoyez-la d’abord.`,
    })
  await addStep(tx, invoice, { channel, state, detail, by, ...(key && { id: jobId(key) }) })
}
