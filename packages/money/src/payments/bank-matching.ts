import { compareText } from '../numbers/exact-numbers.ts'
import { compareByDue } from './settlement.ts'

/** A movement of a bank account; fields that the bank does not give are empty. */
export type BankLine = {
  readonly id: string
  /** Cents, above zero: what came in. */
  readonly amount: number
  readonly endToEndId: string
  readonly rum: string
  readonly batchId: string
  readonly text: string
  /** The account of the payer, as any identifier that is stable for an account. */
  readonly account: string
  readonly name: string
}
/** A direct debit whose money has not arrived yet. */
export type DueDebit = {
  readonly id: string
  readonly endToEndId: string
  readonly rum: string
  readonly batchId: string
  readonly amount: number
}
/** An open item on the account of a buyer with a seller. */
export type DueItem = {
  readonly id: string
  readonly number: string
  readonly pair: string
  readonly due: string
  readonly open: number
  /** The part removed by credit notes: its payer may still send the amount first asked for. */
  readonly credited?: number
}
export type Payer = { readonly pair: string; readonly accounts: readonly string[]; readonly names: readonly string[] }
export type MatchCandidates = {
  readonly debits: readonly DueDebit[]
  readonly items: readonly DueItem[]
  readonly payers: readonly Payer[]
}

/** What matched: 1 the bank reference of a debit, 2 its mandate, 3 numbers in the text, 4 the account, 5 the name. */
type BankMatchStep = 1 | 2 | 3 | 4 | 5
export type BankLineMatch = {
  readonly step: BankMatchStep
  /** Whether it may be posted without confirmation: one of the first three steps, to the cent. */
  readonly certain: boolean
  readonly debits: readonly string[]
  readonly pair: string
  readonly items: readonly string[]
}

/**
 * Upper-case letters and digits only, without accents, so that the spellings of a bank and of a person compare equal.
 */
export const normalizeReference = (text: string): string =>
  text
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

const sumAmounts = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
const sumOpen = (all: readonly DueItem[]) => all.reduce((total, item) => total + item.open, 0)
const sumCredited = (all: readonly DueItem[]) => all.reduce((total, item) => total + (item.credited ?? 0), 0)
/** The amount owed before any credit note, less what was paid since. */
const sumAsked = (all: readonly DueItem[]) => sumOpen(all) + sumCredited(all)
const isOpen = (item: DueItem) => item.open > 0
const groupBy = <T>(all: readonly T[], key: (one: T) => string) => Map.groupBy(all, key)

/** Document numbers in a text: of two that start at the same position, the longer one. */
export function findNumbers(
  text: string,
  numbers: ReadonlyMap<string, DueItem>,
  lengths: readonly number[],
): DueItem[] {
  const plain = normalizeReference(text)
  const found = new Set<DueItem>()
  for (let at = 0; at < plain.length; at++)
    for (const length of lengths) {
      const item = numbers.get(plain.slice(at, at + length))
      if (!item) continue
      found.add(item)
      at += length - 1
      break
    }
  return [...found]
}

/** The sets of open items of one payer that an amount may pay: one document, the oldest ones, or all. */
export function findExactSets(items: readonly DueItem[], amount: number, worth = sumOpen): DueItem[][] {
  const sorted = items.toSorted(compareByDue)
  const prefixes = sorted.map((_, at) => sorted.slice(0, at + 1)).filter((set) => set.length > 1)
  return [...sorted.map((item) => [item]), ...prefixes].filter((set) => worth(set) === amount)
}

/** Names are compared as sets of words without titles: « DURAND MARIE » equals « Mme Marie Durand ». */
const TITLES = new Set(['M', 'MR', 'MME', 'MLLE', 'MONSIEUR', 'MADAME', 'OU', 'ET', 'SCI', 'SARL', 'SAS'])
export const toNameKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word.length > 1 && !TITLES.has(word))
    .sort(compareText)
    .join(' ')

/**
 * Finds what each bank line pays. The indexes are built once for all lines, so that the cost of a line does not grow
 * with the number of open items.
 */
export function createBankLineMatcher({
  debits,
  items,
  payers,
}: MatchCandidates): (line: BankLine) => BankLineMatch | null {
  const byEndToEnd = groupBy(debits, ({ endToEndId }) => endToEndId)
  const byRum = groupBy(debits, ({ rum, amount }) => `${rum} ${amount}`)
  const byBatch = groupBy(debits, ({ batchId }) => batchId)
  const known = items.filter((item) => sumAsked([item]) > 0)
  const byNumber = new Map(known.map((item) => [normalizeReference(item.number), item]))
  const lengths = [...new Set([...byNumber.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  const byPair = groupBy(known, ({ pair }) => pair)
  const pairsOf = (keys: (payer: Payer) => readonly string[]) => {
    const index = new Map<string, Set<string>>()
    for (const payer of payers)
      for (const key of keys(payer)) if (key) index.set(key, (index.get(key) ?? new Set()).add(payer.pair))
    return index
  }
  const byAccount = pairsOf(({ accounts }) => accounts)
  const byName = pairsOf(({ names }) => names.map(toNameKey))

  const toDebitMatch = (
    step: BankMatchStep,
    found: readonly DueDebit[] | undefined,
    line: BankLine,
  ): BankLineMatch | null =>
    found?.length
      ? { step, certain: sumAmounts(found) === line.amount, debits: found.map(({ id }) => id), pair: '', items: [] }
      : null
  const toPaymentMatch = (step: BankMatchStep, set: readonly DueItem[], certain: boolean): BankLineMatch => ({
    step,
    certain,
    debits: [],
    pair: set[0]?.pair ?? '',
    items: set.toSorted(compareByDue).map(({ id }) => id),
  })
  const matchByNumber = (line: BankLine): BankLineMatch | null => {
    const set = findNumbers(line.text, byNumber, lengths)
    if (!set.length || new Set(set.map(({ pair }) => pair)).size > 1) return null
    return toPaymentMatch(3, set, sumOpen(set) === line.amount)
  }
  /** A match only if exactly one set fits, as open now or before its credit notes; two are ambiguous. */
  const only = (step: BankMatchStep, pairs: ReadonlySet<string> | undefined, line: BankLine): BankLineMatch | null => {
    const own = [...(pairs ?? [])].map((pair) => byPair.get(pair) ?? [])
    const exact = own.flatMap((all) => findExactSets(all.filter(isOpen), line.amount))
    const sets = exact.length
      ? exact
      : own.flatMap((all) => findExactSets(all, line.amount, sumAsked).filter((set) => sumCredited(set) > 0))
    const [set] = sets
    return set && sets.length === 1 ? toPaymentMatch(step, set, false) : null
  }

  return (line) => {
    if (line.amount <= 0) return null
    const rum = line.rum ? byRum.get(`${line.rum} ${line.amount}`) : undefined
    return (
      (line.endToEndId && toDebitMatch(1, byEndToEnd.get(line.endToEndId), line)) ||
      (!line.endToEndId && line.batchId && toDebitMatch(1, byBatch.get(line.batchId), line)) ||
      (rum?.length === 1 && toDebitMatch(2, rum, line)) ||
      matchByNumber(line) ||
      only(4, line.account ? byAccount.get(line.account) : undefined, line) ||
      only(5, byName.get(toNameKey(line.name)), line) ||
      null
    )
  }
}
