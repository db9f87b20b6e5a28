/** A movement as a bank wrote it; what it does not say is empty. */
export type RawBankLine = {
  bookedOn: string
  /** Cents: above zero what came in. */
  amount: number
  /** What the bank kept of it or added to it, cents. */
  charge: number
  reference: string
  /** Tells one of a batch from the others. */
  part: string
  label: string
  party: string
  partyIban: string
  endToEndId: string
  rum: string
  batchId: string
  returnCode: string
}
export type RawBankStatement = {
  reference: string
  /** An IBAN, or what the bank writes instead; empty where a table does not say. */
  account: string
  from: string | null
  to: string | null
  opening: number | null
  closing: number | null
  lines: RawBankLine[]
}
/** A debit that a bank refused or gave back: the money of it is the statement's to tell. */
export type RawBankReturn = { endToEndId: string; messageId: string; batchId: string; code: string; on: string }
export type BankMessage = {
  format: 'camt.053' | 'camt.054' | 'pain.002' | 'csv'
  statements: RawBankStatement[]
  returns: RawBankReturn[]
}

/** A line of a table, as cells; whoever opens the file reads them. */
export type BankTableLine = { line: number; cells: string[] }
export type BankTableReader = (bytes: Uint8Array) => Promise<BankTableLine[]>

/** As a person reads a sum: 1 034,17 €. */
export function formatEuros(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '\u00a0')
  return `${cents < 0 ? '−' : ''}${whole},${digits.slice(-2)}\u00a0€`
}

/** Why a file of a bank is not taken, in French. */
export class BankFileRefusedError extends Error {}

/** Cents of an amount written with a point: digits, never a float. Null where it is none. */
export function parseCents(text: string): number | null {
  const found = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(text.trim())
  if (!found) return null
  const decimals = (found[2] ?? '').padEnd(2, '0')
  if (/[1-9]/.test(decimals.slice(2))) return null
  const cents = Number(`${found[1]}${decimals.slice(0, 2)}`)
  return Number.isSafeInteger(cents) ? cents : null
}
