import type { Day } from '../calendar/days.ts'
import { type BookEntry, credit, debit, filled, ofParty, type Party } from './book.ts'
import type { Chart } from './chart.ts'

export type BankFee = { id: string; cents: number; day: Day; ref: string; label: string }
const NOBODY: Party = { code: '', name: '' }

/** What the bank took for its services. */
export const bankFeeEntry = ({ id, cents, day, ref, label }: BankFee, chart: Chart): BookEntry => ({
  source: `bank-fee:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: label || 'Frais bancaires',
  rows: ofParty([debit(chart.bankFees, cents), credit(chart.bank, cents)], NOBODY, ''),
})

export type OnlinePayout = BankFee & { kept: number }

/** What a provider of online payments paid out to the bank, less what it kept for itself. */
export const onlinePayoutEntry = ({ id, cents, kept, day, ref, label }: OnlinePayout, chart: Chart): BookEntry => ({
  source: `online-payout:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: label || 'Versement du prestataire en ligne',
  rows: ofParty(
    filled([debit(chart.bank, cents), debit(chart.bankFees, kept), credit(chart.online, cents + kept)]),
    NOBODY,
    '',
  ),
})

export type Payout = { id: string; cents: number; day: Day; ref: string; producer: Party; payer: Party }

/** What was collected for a producer and is paid on, in the books of who had it. */
export const payoutEntry = ({ id, cents, day, ref, producer }: Payout, chart: Chart): BookEntry => ({
  source: `payout:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: `Reversement ${producer.name}`,
  rows: ofParty([debit(chart.producers, cents, producer.code), credit(chart.bank, cents)], producer, ''),
})

/** The same in the books of who gets it. */
export const receivedEntry = ({ id, cents, day, ref, payer }: Payout, chart: Chart): BookEntry => ({
  source: `payout-in:${id}`,
  journal: 'bank',
  day,
  piece: { ref, day },
  label: `Reversement de ${payer.name}`,
  rows: ofParty([debit(chart.bank, cents), credit(chart.producers, cents, payer.code)], payer, ''),
})
