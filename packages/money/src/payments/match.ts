import { compareText } from '../numbers/order.ts'
import { compareByDue } from './settle.ts'

/** A movement of a bank account; what the bank does not say is empty. */
export type BankLine = {
  readonly id: string
  /** Cents, above zero: what came in. */
  readonly amount: number
  readonly endToEndId: string
  readonly rum: string
  readonly batchId: string
  readonly text: string
  /** The payer's account, by any name that is the same for the same account. */
  readonly account: string
  readonly name: string
}
/** A debit that waits for its money. */
export type DueDebit = {
  readonly id: string
  readonly endToEndId: string
  readonly rum: string
  readonly batchId: string
  readonly amount: number
}
/** What is open on the account of a seller and a buyer. */
export type DueItem = {
  readonly id: string
  readonly number: string
  readonly pair: string
  readonly due: string
  readonly open: number
  /** What credit notes took off it: its payer may still send the sum that was first asked for. */
  readonly credited?: number
}
export type Payer = { readonly pair: string; readonly accounts: readonly string[]; readonly names: readonly string[] }
export type MatchCandidates = {
  readonly debits: readonly DueDebit[]
  readonly items: readonly DueItem[]
  readonly payers: readonly Payer[]
}

/** By what it was found: the bank's reference of a debit, its mandate, what the text names, the account, the name. */
export type BankMatchStep = 1 | 2 | 3 | 4 | 5
export type BankLineMatch = {
  readonly step: BankMatchStep
  /** It may be posted without a person: one of the first three steps, to the cent. */
  readonly certain: boolean
  readonly debits: readonly string[]
  readonly pair: string
  readonly items: readonly string[]
}

/** Letters and digits alone, upper case, without marks: how a bank and a person spell the same thing. */
export const normalizeReference = (text: string): string =>
  text
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

const sumAmounts = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
const sumOpen = (all: readonly DueItem[]) => all.reduce((total, item) => total + item.open, 0)
const sumCredited = (all: readonly DueItem[]) => all.reduce((total, item) => total + (item.credited ?? 0), 0)
/** What was owed before any credit note, less what was paid since. */
const sumAsked = (all: readonly DueItem[]) => sumOpen(all) + sumCredited(all)
const isOpen = (item: DueItem) => item.open > 0
const groupBy = <T>(all: readonly T[], key: (one: T) => string) => Map.groupBy(all, key)

/** Numbers in a text: of two that begin at the same place, the longer one. */
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

/** The sets of what one payer owes that an amount may mean: one document, the oldest so many, or all. */
export function findExactSets(items: readonly DueItem[], amount: number, worth = sumOpen): DueItem[][] {
  const sorted = items.toSorted(compareByDue)
  const prefixes = sorted.map((_, at) => sorted.slice(0, at + 1)).filter((set) => set.length > 1)
  return [...sorted.map((item) => [item]), ...prefixes].filter((set) => worth(set) === amount)
}

/** Words of a name in any order: « DURAND MARIE » and « Mme Marie Durand » are alike. */
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

/** Finds what each line pays. Built once for all lines: the cost of a line does not grow with what is open. */
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

  const debited = (
    step: BankMatchStep,
    found: readonly DueDebit[] | undefined,
    line: BankLine,
  ): BankLineMatch | null =>
    found?.length
      ? { step, certain: sumAmounts(found) === line.amount, debits: found.map(({ id }) => id), pair: '', items: [] }
      : null
  const paid = (step: BankMatchStep, set: readonly DueItem[], certain: boolean): BankLineMatch => ({
    step,
    certain,
    debits: [],
    pair: set[0]?.pair ?? '',
    items: set.toSorted(compareByDue).map(({ id }) => id),
  })
  const named = (line: BankLine): BankLineMatch | null => {
    const set = findNumbers(line.text, byNumber, lengths)
    if (!set.length || new Set(set.map(({ pair }) => pair)).size > 1) return null
    return paid(3, set, sumOpen(set) === line.amount)
  }
  /** One open set of those who may have paid, or one as it was before its credit notes; two are a guess, and none is made. */
  const only = (step: BankMatchStep, pairs: ReadonlySet<string> | undefined, line: BankLine): BankLineMatch | null => {
    const own = [...(pairs ?? [])].map((pair) => byPair.get(pair) ?? [])
    const exact = own.flatMap((all) => findExactSets(all.filter(isOpen), line.amount))
    const sets = exact.length
      ? exact
      : own.flatMap((all) => findExactSets(all, line.amount, sumAsked).filter((set) => sumCredited(set) > 0))
    const [set] = sets
    return set && sets.length === 1 ? paid(step, set, false) : null
  }

  return (line) => {
    if (line.amount <= 0) return null
    const rum = line.rum ? byRum.get(`${line.rum} ${line.amount}`) : undefined
    return (
      (line.endToEndId && debited(1, byEndToEnd.get(line.endToEndId), line)) ||
      (!line.endToEndId && line.batchId && debited(1, byBatch.get(line.batchId), line)) ||
      (rum?.length === 1 && debited(2, rum, line)) ||
      named(line) ||
      only(4, line.account ? byAccount.get(line.account) : undefined, line) ||
      only(5, byName.get(toNameKey(line.name)), line) ||
      null
    )
  }
}
