import type { Day } from '../calendar/days.ts'
import { type BookEntry, type BookRow, credit, debit, filled, ofParty, type Party, turned } from './book.ts'
import type { Chart } from './chart.ts'
import type { FecRow } from './fec.ts'

/** What lowers or raises what a customer owes beside its documents; a return or an undo turns the one it takes back. */
export type MoneyKind = 'receipt' | 'writeOff' | 'openingCredit' | 'refund' | 'charge' | 'openingDebit'
export type MoneyFact = {
  readonly id: string
  readonly kind: MoneyKind
  readonly cents: number
  readonly day: Day
  readonly ref: string
  readonly customer: Party
  /** Where the money is; in whose hands, where they are not the seller's own. */
  readonly place: 'bank' | 'online' | 'cash' | 'setOff'
  readonly holder: Party | null
  /** What of it pays no document yet, or what of a refund gives such a part back. */
  readonly advance: number
  /** Below this many cents, what is written off is a difference of settlement. */
  readonly small: number
  /** What it takes back, if it does. */
  readonly back: { readonly id: string; readonly kind: 'return' | 'undo' } | null
}

/** The account of the money itself: one's own, or what somebody else holds. */
function hand({ place, holder, customer }: MoneyFact, chart: Chart, cents: number): BookRow[] {
  if (holder) return ofParty([debit(chart.producers, cents, holder.code)], holder, '')
  if (place === 'setOff') return ofParty([debit(chart.producers, cents, customer.code)], customer, '')
  return ofParty([debit(chart[place], cents)], customer, '')
}

/** What the customer no longer owes: its documents first, the rest is an advance. */
const paid = ({ cents, advance, customer, id }: MoneyFact, chart: Chart): BookRow[] =>
  ofParty(
    [credit(chart.customer, cents - advance, customer.code), credit(chart.advances, advance, customer.code)],
    customer,
    id,
  )

const owed = ({ cents, customer, id }: MoneyFact, chart: Chart, row: FecRow) =>
  ofParty([debit(chart.customer, cents, customer.code), row], customer, id)

function rowsOf(fact: MoneyFact, chart: Chart): BookRow[] {
  const { cents, kind, small } = fact
  const against = (account: string) => [...ofParty([debit(account, cents)], fact.customer, ''), ...paid(fact, chart)]
  if (kind === 'receipt') return [...hand(fact, chart, cents), ...paid(fact, chart)]
  if (kind === 'refund') return turned([...hand(fact, chart, cents), ...paid(fact, chart)])
  if (kind === 'openingCredit') return against(chart.opening)
  if (kind === 'writeOff') return against(cents < small ? chart.smallWriteOffs : chart.writeOffs)
  return owed(fact, chart, credit(kind === 'charge' ? chart.charges : chart.opening, cents))
}

const WORDS: Record<MoneyKind, string> = {
  receipt: 'Règlement',
  refund: 'Remboursement',
  writeOff: 'Passage en perte',
  charge: 'Frais de retard',
  openingCredit: 'Reprise de solde',
  openingDebit: 'Reprise de solde',
}
const BACK = { return: 'Rejet', undo: 'Annulation' }
/** Money that moved stands in the journal of the bank; all else is miscellaneous. */
const journalOf = ({ kind, place, holder }: MoneyFact): 'bank' | 'misc' =>
  (kind === 'receipt' || kind === 'refund') && place !== 'setOff' && !holder ? 'bank' : 'misc'

const worded = (fact: MoneyFact) =>
  fact.back
    ? `${BACK[fact.back.kind]} ${WORDS[fact.kind].toLowerCase()} ${fact.customer.name}`
    : `${WORDS[fact.kind]} ${fact.customer.name}`

/** A payment in the books of whom it was owed to. */
export function moneyEntry(fact: MoneyFact, chart: Chart): BookEntry {
  const rows = filled(rowsOf(fact, chart))
  const item = fact.back?.id
  return {
    source: `payment:${fact.id}`,
    journal: journalOf(fact),
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: worded(fact),
    // A payment and what takes it back are one thing, which comes to nothing.
    rows: item ? turned(rows).map((row) => (row.item === fact.id ? { ...row, item } : row)) : rows,
  }
}

/** The same money in the books of who holds it for another. */
export function heldEntry(fact: MoneyFact, owner: Party, chart: Chart): BookEntry {
  const own = hand({ ...fact, holder: null }, chart, fact.cents)
  const rows = [...own, ...ofParty([credit(chart.producers, fact.cents, owner.code)], owner, '')]
  const out = (fact.kind === 'refund') !== (fact.back !== null)
  return {
    source: `held:${fact.id}`,
    journal: 'bank',
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: `${worded(fact)} pour ${owner.name}`,
    rows: out ? turned(rows) : rows,
  }
}

/** Fees that a producer paid by what was collected for it, in the producer's own books. */
export function setOffEntry(fact: MoneyFact, organiser: Party, chart: Chart): BookEntry {
  const rows = ofParty(
    [debit(chart.suppliers, fact.cents, organiser.code), credit(chart.producers, fact.cents, organiser.code)],
    organiser,
    '',
  )
  return {
    source: `set-off:${fact.id}`,
    journal: 'misc',
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: `Frais compensés ${organiser.name}`,
    rows: fact.back ? turned(rows) : rows,
  }
}

export type UsedAdvance = { id: string; paymentId: string; cents: number; day: Day; ref: string; customer: Party }
/** An advance that pays a document issued later; below zero where that is undone. */
export function advanceEntry({ id, paymentId, cents, day, ref, customer }: UsedAdvance, chart: Chart): BookEntry {
  const size = Math.abs(cents)
  const rows = ofParty(
    [debit(chart.advances, size, customer.code), credit(chart.customer, size, customer.code)],
    customer,
    paymentId,
  )
  return {
    source: `match:${id}`,
    journal: 'misc',
    day,
    piece: { ref, day },
    label: `${cents < 0 ? 'Avance rendue' : 'Avance utilisée'} ${customer.name}`,
    rows: cents < 0 ? turned(rows) : rows,
  }
}

export type Doubt = {
  id: string
  invoiceId: string
  number: string
  cents: number
  /** The part of it that is not tax, and what of that is thought lost. */
  lost: number
  day: Day
  customer: Party
  lifted: boolean
}
/** A claim that may not be paid: set apart, and what is thought lost provided for; lifted, both are taken back. */
export function doubtEntry(doubt: Doubt, chart: Chart): BookEntry {
  const { id, invoiceId, number, cents, lost, day, customer, lifted } = doubt
  const rows = filled([
    ...ofParty(
      [debit(chart.doubtful, cents, customer.code), credit(chart.customer, cents, customer.code)],
      customer,
      invoiceId,
    ),
    ...ofParty([debit(chart.provisionCost, lost), credit(chart.provision, lost)], customer, ''),
  ])
  return {
    source: `doubt:${id}`,
    journal: 'misc',
    day,
    piece: { ref: number, day },
    label: `${lifted ? 'Créance redevenue saine' : 'Créance douteuse'} ${customer.name}`,
    rows: lifted ? turned(rows) : rows,
  }
}
