import { byText } from '../numbers/order.ts'
import { byDue } from './settle.ts'

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
export type Known = {
  readonly debits: readonly DueDebit[]
  readonly items: readonly DueItem[]
  readonly payers: readonly Payer[]
}

/** By what it was found: the bank's reference of a debit, its mandate, what the text names, the account, the name. */
export type Step = 1 | 2 | 3 | 4 | 5
export type Found = {
  readonly step: Step
  /** It may be posted without a person: one of the first three steps, to the cent. */
  readonly certain: boolean
  readonly debits: readonly string[]
  readonly pair: string
  readonly items: readonly string[]
}

/** Letters and digits alone, upper case, without marks: how a bank and a person spell the same thing. */
export const bare = (text: string): string =>
  text
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

const sum = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
const open = (all: readonly DueItem[]) => all.reduce((total, item) => total + item.open, 0)
const credited = (all: readonly DueItem[]) => all.reduce((total, item) => total + (item.credited ?? 0), 0)
/** What was owed before any credit note, less what was paid since. */
const asked = (all: readonly DueItem[]) => open(all) + credited(all)
const isOpen = (item: DueItem) => item.open > 0
const group = <T>(all: readonly T[], key: (one: T) => string) => Map.groupBy(all, key)

/** Numbers in a text: of two that begin at the same place, the longer one. */
export function numbersIn(text: string, numbers: ReadonlyMap<string, DueItem>, lengths: readonly number[]): DueItem[] {
  const plain = bare(text)
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
export function exactSets(items: readonly DueItem[], amount: number, worth = open): DueItem[][] {
  const sorted = items.toSorted(byDue)
  const prefixes = sorted.map((_, at) => sorted.slice(0, at + 1)).filter((set) => set.length > 1)
  return [...sorted.map((item) => [item]), ...prefixes].filter((set) => worth(set) === amount)
}

/** Words of a name in any order: « DURAND MARIE » and « Mme Marie Durand » are alike. */
const TITLES = new Set(['M', 'MR', 'MME', 'MLLE', 'MONSIEUR', 'MADAME', 'OU', 'ET', 'SCI', 'SARL', 'SAS'])
export const nameKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word.length > 1 && !TITLES.has(word))
    .sort(byText)
    .join(' ')

/** Finds what each line pays. Built once for all lines: the cost of a line does not grow with what is open. */
export function matcher({ debits, items, payers }: Known): (line: BankLine) => Found | null {
  const byEndToEnd = group(debits, ({ endToEndId }) => endToEndId)
  const byRum = group(debits, ({ rum, amount }) => `${rum} ${amount}`)
  const byBatch = group(debits, ({ batchId }) => batchId)
  const known = items.filter((item) => asked([item]) > 0)
  const byNumber = new Map(known.map((item) => [bare(item.number), item]))
  const lengths = [...new Set([...byNumber.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  const byPair = group(known, ({ pair }) => pair)
  const pairsOf = (keys: (payer: Payer) => readonly string[]) => {
    const index = new Map<string, Set<string>>()
    for (const payer of payers)
      for (const key of keys(payer)) if (key) index.set(key, (index.get(key) ?? new Set()).add(payer.pair))
    return index
  }
  const byAccount = pairsOf(({ accounts }) => accounts)
  const byName = pairsOf(({ names }) => names.map(nameKey))

  const debited = (step: Step, found: readonly DueDebit[] | undefined, line: BankLine): Found | null =>
    found?.length
      ? { step, certain: sum(found) === line.amount, debits: found.map(({ id }) => id), pair: '', items: [] }
      : null
  const paid = (step: Step, set: readonly DueItem[], certain: boolean): Found => ({
    step,
    certain,
    debits: [],
    pair: set[0]?.pair ?? '',
    items: set.toSorted(byDue).map(({ id }) => id),
  })
  const named = (line: BankLine): Found | null => {
    const set = numbersIn(line.text, byNumber, lengths)
    if (!set.length || new Set(set.map(({ pair }) => pair)).size > 1) return null
    return paid(3, set, open(set) === line.amount)
  }
  /** One open set of those who may have paid, or one as it was before its credit notes; two are a guess, and none is made. */
  const only = (step: Step, pairs: ReadonlySet<string> | undefined, line: BankLine): Found | null => {
    const own = [...(pairs ?? [])].map((pair) => byPair.get(pair) ?? [])
    const exact = own.flatMap((all) => exactSets(all.filter(isOpen), line.amount))
    const sets = exact.length
      ? exact
      : own.flatMap((all) => exactSets(all, line.amount, asked).filter((set) => credited(set) > 0))
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
      only(5, byName.get(nameKey(line.name)), line) ||
      null
    )
  }
}
