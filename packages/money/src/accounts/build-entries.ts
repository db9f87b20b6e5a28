import { addDays, type Day, getCalendarPeriod } from '../calendar/days.ts'
import {
  type BookEntry,
  type BookParty,
  type BookRow,
  removeEmptyRows,
  reverseRows,
  toBookRows,
  toCreditRow,
  toDebitRow,
} from './book-entries.ts'
import type { ChartOfAccounts } from './chart-of-accounts.ts'
import { type BookedDocument, buildSalesRows, type FecRow } from './fec.ts'

export type DocumentFact = BookedDocument & {
  readonly id: string
  readonly number: string
  readonly issued: Day
  /** First day after the supply period. */
  readonly to: Day
  readonly buyer: BookParty
}

const DOCUMENT_LABELS = { invoice: 'Facture', complement: 'Facture complémentaire', creditNote: 'Avoir' }
const formatDocumentLabel = ({ kind, number, buyer }: DocumentFact) =>
  `${DOCUMENT_LABELS[kind]} ${number} ${buyer.name}`
const toPiece = ({ number, issued }: DocumentFact) => ({ ref: number, day: issued })

/** The entry of a document in the sales journal of its seller. */
export const buildDocumentEntry = (document: DocumentFact, chart: ChartOfAccounts): BookEntry => ({
  source: `invoice:${document.id}`,
  journal: 'sales',
  day: document.issued,
  piece: toPiece(document),
  label: formatDocumentLabel(document),
  rows: toBookRows(buildSalesRows(document, document.buyer.code, chart), document.buyer, document.id),
})

/** The last day of the month in which the supply period ended. */
export const getSupplyMonthEnd = (to: Day): Day => addDays(getCalendarPeriod(addDays(to, -1), 'month').to, -1)

/** The customer and the tax not yet due are on separate accounts until the document is issued. */
function buildAccruedRows(document: DocumentFact, chart: ChartOfAccounts): BookRow[] {
  const rows = buildSalesRows(document, document.buyer.code, { ...chart, customer: chart.accrued })
  const isTax = ({ account }: { account: string }) => account.startsWith(chart.vat) && account !== chart.accise
  const tax = rows.filter(isTax).reduce((sum, row) => sum + row.credit - row.debit, 0)
  const vat = { account: chart.accruedVat, aux: '', debit: Math.max(0 - tax, 0), credit: Math.max(tax, 0) }
  return removeEmptyRows(
    toBookRows([...rows.filter((row) => !isTax(row)), vat], document.buyer, `accrued:${document.id}`),
  )
}

/**
 * What was supplied in a month and invoiced after its end: accrued on its last day, reversed at issue. A correction was
 * not known at that time, and belongs to the month in which it is issued.
 */
export function buildCutoffEntries(document: DocumentFact, chart: ChartOfAccounts): BookEntry[] {
  const day = getSupplyMonthEnd(document.to)
  if (document.kind !== 'invoice' || document.issued <= day) return []
  const rows = buildAccruedRows(document, chart)
  if (rows.length === 0) return []
  const about = { journal: 'misc' as const, piece: toPiece(document) }
  return [
    { ...about, source: `accrued:${document.id}`, day, label: `Facture à établir ${document.buyer.name}`, rows },
    {
      ...about,
      source: `accrued-back:${document.id}`,
      day: document.issued,
      label: `Extourne de facture à établir ${document.number}`,
      rows: reverseRows(rows),
    },
  ]
}

/** What changes the debt of a customer besides documents; a return or an undo reverses the one it takes back. */
export type MoneyKind = 'receipt' | 'writeOff' | 'openingCredit' | 'refund' | 'charge' | 'openingDebit'
export type MoneyFact = {
  readonly id: string
  readonly kind: MoneyKind
  readonly cents: number
  readonly day: Day
  readonly ref: string
  readonly customer: BookParty
  /** Where the money is, and who holds it when it is not the seller. */
  readonly place: 'bank' | 'online' | 'cash' | 'setOff'
  readonly holder: BookParty | null
  /** The part not yet matched with a document; for a refund, the part of an advance given back. */
  readonly advance: number
  /** A write-off below this many cents is booked as a settlement difference. */
  readonly small: number
  /** The payment that it reverses, if any. */
  readonly back: { readonly id: string; readonly kind: 'return' | 'undo' } | null
}

/** The account of the money itself: the entity's own, or that of the one who holds it. */
function buildMoneyRows({ place, holder, customer }: MoneyFact, chart: ChartOfAccounts, cents: number): BookRow[] {
  if (holder) return toBookRows([toDebitRow(chart.producers, cents, holder.code)], holder, '')
  if (place === 'setOff') return toBookRows([toDebitRow(chart.producers, cents, customer.code)], customer, '')
  return toBookRows([toDebitRow(chart[place], cents)], customer, '')
}

/** Lowers the debt of the customer: documents first, the rest is an advance. */
const buildPaidRows = ({ cents, advance, customer, id }: MoneyFact, chart: ChartOfAccounts): BookRow[] =>
  toBookRows(
    [toCreditRow(chart.customer, cents - advance, customer.code), toCreditRow(chart.advances, advance, customer.code)],
    customer,
    id,
  )

const buildOwedRows = ({ cents, customer, id }: MoneyFact, chart: ChartOfAccounts, row: FecRow) =>
  toBookRows([toDebitRow(chart.customer, cents, customer.code), row], customer, id)

function buildRows(fact: MoneyFact, chart: ChartOfAccounts): BookRow[] {
  const { cents, kind, small } = fact
  const against = (account: string) => [
    ...toBookRows([toDebitRow(account, cents)], fact.customer, ''),
    ...buildPaidRows(fact, chart),
  ]
  if (kind === 'receipt') return [...buildMoneyRows(fact, chart, cents), ...buildPaidRows(fact, chart)]
  if (kind === 'refund') return reverseRows([...buildMoneyRows(fact, chart, cents), ...buildPaidRows(fact, chart)])
  if (kind === 'openingCredit') return against(chart.opening)
  if (kind === 'writeOff') return against(cents < small ? chart.smallWriteOffs : chart.writeOffs)
  return buildOwedRows(fact, chart, toCreditRow(kind === 'charge' ? chart.charges : chart.opening, cents))
}

const MONEY_KIND_LABELS: Record<MoneyKind, string> = {
  receipt: 'Règlement',
  refund: 'Remboursement',
  writeOff: 'Passage en perte',
  charge: 'Frais de retard',
  openingCredit: 'Reprise de solde',
  openingDebit: 'Reprise de solde',
}
const REVERSAL_LABELS = { return: 'Rejet', undo: 'Annulation' }
/** Money that moved goes to the bank journal, everything else to the miscellaneous one. */
const getJournal = ({ kind, place, holder }: MoneyFact): 'bank' | 'misc' =>
  (kind === 'receipt' || kind === 'refund') && place !== 'setOff' && !holder ? 'bank' : 'misc'

const formatMoneyLabel = (fact: MoneyFact) =>
  fact.back
    ? `${REVERSAL_LABELS[fact.back.kind]} ${MONEY_KIND_LABELS[fact.kind].toLowerCase()} ${fact.customer.name}`
    : `${MONEY_KIND_LABELS[fact.kind]} ${fact.customer.name}`

/** A payment in the books of the seller it was owed to. */
export function buildMoneyEntry(fact: MoneyFact, chart: ChartOfAccounts): BookEntry {
  const rows = removeEmptyRows(buildRows(fact, chart))
  const item = fact.back?.id
  return {
    source: `payment:${fact.id}`,
    journal: getJournal(fact),
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: formatMoneyLabel(fact),
    // A payment and its reversal share one item, whose balance is zero.
    rows: item ? reverseRows(rows).map((row) => (row.item === fact.id ? { ...row, item } : row)) : rows,
  }
}

/** The same payment in the books of the one who holds the money for another. */
export function buildHolderEntry(fact: MoneyFact, owner: BookParty, chart: ChartOfAccounts): BookEntry {
  const own = buildMoneyRows({ ...fact, holder: null }, chart, fact.cents)
  const rows = [...own, ...toBookRows([toCreditRow(chart.producers, fact.cents, owner.code)], owner, '')]
  const out = (fact.kind === 'refund') !== (fact.back !== null)
  return {
    source: `held:${fact.id}`,
    journal: 'bank',
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: `${formatMoneyLabel(fact)} pour ${owner.name}`,
    rows: out ? reverseRows(rows) : rows,
  }
}

/** Fees that a producer paid out of what was collected for it, in the books of the producer. */
export function buildSetOffEntry(fact: MoneyFact, organiser: BookParty, chart: ChartOfAccounts): BookEntry {
  const rows = toBookRows(
    [toDebitRow(chart.suppliers, fact.cents, organiser.code), toCreditRow(chart.producers, fact.cents, organiser.code)],
    organiser,
    '',
  )
  return {
    source: `set-off:${fact.id}`,
    journal: 'misc',
    day: fact.day,
    piece: { ref: fact.ref, day: fact.day },
    label: `Frais compensés ${organiser.name}`,
    rows: fact.back ? reverseRows(rows) : rows,
  }
}

export type UsedAdvance = { id: string; paymentId: string; cents: number; day: Day; ref: string; customer: BookParty }
/** An advance matched with a document issued later; negative where that match is undone. */
export function buildAdvanceEntry(
  { id, paymentId, cents, day, ref, customer }: UsedAdvance,
  chart: ChartOfAccounts,
): BookEntry {
  const size = Math.abs(cents)
  const rows = toBookRows(
    [toDebitRow(chart.advances, size, customer.code), toCreditRow(chart.customer, size, customer.code)],
    customer,
    paymentId,
  )
  return {
    source: `match:${id}`,
    journal: 'misc',
    day,
    piece: { ref, day },
    label: `${cents < 0 ? 'Avance rendue' : 'Avance utilisée'} ${customer.name}`,
    rows: cents < 0 ? reverseRows(rows) : rows,
  }
}

export type DoubtfulClaim = {
  id: string
  invoiceId: string
  number: string
  cents: number
  /** The part before tax, and the share of it expected to be lost. */
  lost: number
  day: Day
  customer: BookParty
  lifted: boolean
}
/**
 * A doubtful claim: reclassified, with a provision for the expected loss; when the doubt is lifted, both are reversed.
 */
export function buildDoubtfulClaimEntry(doubt: DoubtfulClaim, chart: ChartOfAccounts): BookEntry {
  const { id, invoiceId, number, cents, lost, day, customer, lifted } = doubt
  const rows = removeEmptyRows([
    ...toBookRows(
      [toDebitRow(chart.doubtful, cents, customer.code), toCreditRow(chart.customer, cents, customer.code)],
      customer,
      invoiceId,
    ),
    ...toBookRows([toDebitRow(chart.provisionCost, lost), toCreditRow(chart.provision, lost)], customer, ''),
  ])
  return {
    source: `doubt:${id}`,
    journal: 'misc',
    day,
    piece: { ref: number, day },
    label: `${lifted ? 'Créance redevenue saine' : 'Créance douteuse'} ${customer.name}`,
    rows: lifted ? reverseRows(rows) : rows,
  }
}

export type BankFeeFact = { id: string; cents: number; day: Day; ref: string; label: string }
const NO_PARTY: BookParty = { code: '', name: '' }

/** Fees that the bank took. */
export const buildBankFeeEntry = ({ id, cents, day, ref, label }: BankFeeFact, chart: ChartOfAccounts): BookEntry => ({
  source: `bank-fee:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: label || 'Frais bancaires',
  rows: toBookRows([toDebitRow(chart.bankFees, cents), toCreditRow(chart.bank, cents)], NO_PARTY, ''),
})

export type OnlinePayoutFact = BankFeeFact & { kept: number }

/** What a provider of online payments paid out to the bank, less what it kept for itself. */
export const buildOnlinePayoutEntry = (
  { id, cents, kept, day, ref, label }: OnlinePayoutFact,
  chart: ChartOfAccounts,
): BookEntry => ({
  source: `online-payout:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: label || 'Versement du prestataire en ligne',
  rows: toBookRows(
    removeEmptyRows([
      toDebitRow(chart.bank, cents),
      toDebitRow(chart.bankFees, kept),
      toCreditRow(chart.online, cents + kept),
    ]),
    NO_PARTY,
    '',
  ),
})

export type PayoutFact = { id: string; cents: number; day: Day; ref: string; producer: BookParty; payer: BookParty }

/** The payout of money collected for a producer, in the books of the one who collected it. */
export const buildPayoutEntry = ({ id, cents, day, ref, producer }: PayoutFact, chart: ChartOfAccounts): BookEntry => ({
  source: `payout:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: `Reversement ${producer.name}`,
  rows: toBookRows([toDebitRow(chart.producers, cents, producer.code), toCreditRow(chart.bank, cents)], producer, ''),
})

/** The same payout in the books of the producer who receives it. */
export const buildReceivedPayoutEntry = (
  { id, cents, day, ref, payer }: PayoutFact,
  chart: ChartOfAccounts,
): BookEntry => ({
  source: `payout-in:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: `Reversement de ${payer.name}`,
  rows: toBookRows([toDebitRow(chart.bank, cents), toCreditRow(chart.producers, cents, payer.code)], payer, ''),
})
