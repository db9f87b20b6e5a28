import { DEFAULT_SALES_ACCOUNTS, type FecRow, type SalesAccounts } from './fec.ts'

/** Accounts used for movements of money; a setting of each entity. */
type BankAccounts = {
  customer: string
  bank: string
  online: string
  bankFees: string
  producers: string
  advances: string
  writeOffs: string
}
const BANK_ACCOUNTS: BankAccounts = {
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

/** All accounts that the books of an entity use; a setting of each entity. */
export type ChartOfAccounts = SalesAccounts &
  BankAccounts & {
    cash: string
    suppliers: string
    /** Settlement differences of a few cents. */
    smallWriteOffs: string
    charges: string
    /** Counterpart of balances older than the books. */
    opening: string
    doubtful: string
    provision: string
    provisionCost: string
    /** Supplied and not yet invoiced at the end of a month. */
    accrued: string
    accruedVat: string
    /** The result of the last year, and those of the years before: used when a year opens. */
    profit: string
    loss: string
    keptProfit: string
    keptLoss: string
  }

export const DEFAULT_CHART_OF_ACCOUNTS: ChartOfAccounts = {
  ...DEFAULT_SALES_ACCOUNTS,
  ...BANK_ACCOUNTS,
  cash: '530000',
  suppliers: '401000',
  smallWriteOffs: '658000',
  charges: '758000',
  opening: '471000',
  doubtful: '416000',
  provision: '491000',
  provisionCost: '681740',
  accrued: '418100',
  accruedVat: '445870',
  profit: '120000',
  loss: '129000',
  keptProfit: '110000',
  keptLoss: '119000',
}

export const ACCOUNT_LABELS: Record<keyof ChartOfAccounts, string> = {
  customer: 'Clients',
  energy: 'Ventes d’énergie',
  fees: 'Prestations de services',
  accise: 'Accise sur l’électricité',
  vat: 'TVA collectée',
  bank: 'Banque',
  online: 'Encaissements en ligne',
  bankFees: 'Services bancaires',
  producers: 'Débiteurs et créditeurs divers',
  advances: 'Clients, avances et acomptes reçus',
  writeOffs: 'Pertes sur créances irrécouvrables',
  cash: 'Caisse',
  suppliers: 'Fournisseurs',
  smallWriteOffs: 'Écarts de règlement',
  charges: 'Indemnités et intérêts de retard',
  opening: 'Compte d’attente, reprise',
  doubtful: 'Clients douteux ou litigieux',
  provision: 'Dépréciation des comptes de clients',
  provisionCost: 'Dotations aux dépréciations des créances',
  accrued: 'Clients, factures à établir',
  accruedVat: 'TVA sur factures à établir',
  profit: 'Résultat de l’exercice, bénéfice',
  loss: 'Résultat de l’exercice, perte',
  keptProfit: 'Report à nouveau, solde créditeur',
  keptLoss: 'Report à nouveau, solde débiteur',
}

export type JournalName = 'opening' | 'sales' | 'bank' | 'misc'
export type Journal = { code: string; label: string }
export const JOURNALS: Record<JournalName, Journal> = {
  opening: { code: 'AN', label: 'À-nouveaux' },
  sales: { code: 'VE', label: 'Ventes' },
  bank: { code: 'BQ', label: 'Banque' },
  misc: { code: 'OD', label: 'Opérations diverses' },
}

/** 20 %, 5,5 %: the rate that ends an account of VAT. */
const formatRate = (digits: string) => `${Number(digits) / 100}`.replace('.', ',')

/** The label of an account under a chart. */
export function getAccountLabel(account: string, chart: ChartOfAccounts): string {
  const names = Object.keys(ACCOUNT_LABELS) as (keyof ChartOfAccounts)[] // its own keys
  const name = names.find((key) => key !== 'vat' && chart[key] === account)
  if (name) return ACCOUNT_LABELS[name]
  const rate = account.startsWith(chart.vat) ? account.slice(chart.vat.length) : ''
  return /^\d{4}$/.test(rate) ? `${ACCOUNT_LABELS.vat} ${formatRate(rate)} %` : account
}
