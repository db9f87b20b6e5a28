import type { Day } from '../calendar/days.ts'
import { type BookEntry, type BookParty, removeEmptyRows, toBookRows, toCreditRow, toDebitRow } from './book.ts'
import type { ChartOfAccounts } from './chart.ts'

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
