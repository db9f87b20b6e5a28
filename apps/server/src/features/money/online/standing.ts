import type { OnlineState } from '@voisol/contract/online-views'
import type { PaymentFact, PaymentFactKind } from '../../../adapters/payments/types.ts'

export type OnlinePaymentStatus = {
  state: OnlineState
  /** The amount now with the seller. */
  net: number
  /** When money last moved. */
  at: Date | null
  reason: string
}

/** The same fact received twice counts once; with different figures, the later one counts. */
function deduplicateFacts(facts: readonly PaymentFact[]): Map<string, PaymentFact> {
  const known = new Map<string, PaymentFact>()
  for (const fact of facts) {
    const key = `${fact.kind} ${fact.object}`
    const other = known.get(key)
    const later = !other || fact.at > other.at || (+fact.at === +other.at && fact.amount > other.amount)
    if (later) known.set(key, fact)
  }
  return known
}

const sum = (facts: readonly PaymentFact[]) => facts.reduce((total, { amount }) => total + amount, 0)

/**
 * The status of a payment from all facts received. Facts never expire, so only their set matters and not their order; a
 * refund or dispute counts unless the same refund failed or the same dispute was won.
 */
export function computePaymentStatus(facts: readonly PaymentFact[]): OnlinePaymentStatus {
  const known = deduplicateFacts(facts)
  const paid = known.get('paid ')
  if (!paid) return computeUnpaidStatus(known)
  const factsOfKind = (kind: PaymentFactKind) => [...known.values()].filter((fact) => fact.kind === kind)
  const factsNotUndone = (kind: PaymentFactKind, undone: PaymentFactKind) =>
    factsOfKind(kind).filter(({ object }) => !known.has(`${undone} ${object}`))
  const refunded = sum(factsNotUndone('refunded', 'refundFailed'))
  const withdrawn = sum(factsNotUndone('withdrawn', 'reinstated'))
  const net = Math.max(0, paid.amount - refunded - withdrawn)
  const moved = [
    paid,
    ...factsOfKind('refunded'),
    ...factsOfKind('refundFailed'),
    ...factsOfKind('withdrawn'),
    ...factsOfKind('reinstated'),
  ]
  const at = new Date(Math.max(...moved.map((fact) => +fact.at)))
  const state = withdrawn > 0 ? 'disputed' : refunded === 0 ? 'paid' : net > 0 ? 'partly' : 'refunded'
  return { state, net, at, reason: '' }
}

function computeUnpaidStatus(known: Map<string, PaymentFact>): OnlinePaymentStatus {
  const [failed, processing] = [known.get('failed '), known.get('processing ')]
  const nothing = { net: 0, at: null, reason: '' }
  // A debit can fail after it was ordered; a card may be refused and another one accepted.
  if (processing && (!failed || failed.at < processing.at)) return { ...nothing, state: 'processing' }
  if (failed && (processing || known.has('completed '))) return { ...nothing, state: 'failed', reason: failed.reason }
  if (known.has('expired ')) return { ...nothing, state: 'expired', reason: failed?.reason ?? '' }
  return { ...nothing, state: 'open', reason: failed?.reason ?? '' }
}
