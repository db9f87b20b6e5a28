import type { FecRow } from './fec.ts'

/** Accounts used for movements of money; a setting of each entity. */
export type BankAccounts = {
  customer: string
  bank: string
  online: string
  bankFees: string
  producers: string
  advances: string
  writeOffs: string
}
export const BANK_ACCOUNTS: BankAccounts = {
  customer: '411000',
  bank: '512000',
  online: '517000',
  bankFees: '627000',
  producers: '467000',
  advances: '419100',
  writeOffs: '654000',
}

type AccountName = keyof BankAccounts
/** The accounts debited and credited; those of a person carry its auxiliary. */
const MOVE_ACCOUNTS = {
  payment: ['bank', 'customer'],
  paymentReturned: ['customer', 'bank'],
  onlinePayment: ['online', 'customer'],
  advance: ['bank', 'advances'],
  advanceUsed: ['advances', 'customer'],
  bankFee: ['bankFees', 'bank'],
  collectedForProducer: ['bank', 'producers'],
  paidToProducer: ['producers', 'bank'],
  feesSetOff: ['producers', 'customer'],
  writeOff: ['writeOffs', 'customer'],
} as const satisfies Record<string, readonly [AccountName, AccountName]>
export type MoveKind = keyof typeof MOVE_ACCOUNTS

const PARTY_ACCOUNTS: readonly AccountName[] = ['customer', 'producers', 'advances']

/** Two rows of the same amount, so always balanced. */
export function buildMoveRows(
  kind: MoveKind,
  cents: number,
  aux: string,
  accounts: BankAccounts = BANK_ACCOUNTS,
): FecRow[] {
  const [debited, credited] = MOVE_ACCOUNTS[kind]
  const auxOf = (side: AccountName) => (PARTY_ACCOUNTS.includes(side) ? aux : '')
  return [
    { account: accounts[debited], aux: auxOf(debited), debit: cents, credit: 0 },
    { account: accounts[credited], aux: auxOf(credited), debit: 0, credit: cents },
  ]
}
