import { addDays, type Day } from '../../calendar/days.ts'
import type { RandomInteger } from '../../month/testing/random-months.ts'
import type { BookParty } from '../book-entries.ts'
import type { DocumentFact, MoneyFact, UsedAdvance } from '../build-entries.ts'

type Item = { id: string; side: 'debit' | 'credit'; open: number; receipt: boolean }
type Match = { debit: string; credit: string; cents: number }
export type RandomLedger = {
  documents: DocumentFact[]
  moneys: MoneyFact[]
  used: UsedAdvance[]
  matches: Match[]
  items: Map<string, Item>
}

const CUSTOMER: BookParty = { code: 'C1', name: 'Camille' }
const about = { ref: 'VIR', customer: CUSTOMER, place: 'bank', holder: null, small: 500 } as const

function randomDocument(random: RandomInteger, id: string, day: Day, kind: 'invoice' | 'creditNote'): DocumentFact {
  const net = 100 + random(9_000)
  const tax = Math.round(net / 5)
  const vat = [{ category: 'S' as const, rate: 2_000, base: net, tax }]
  const lines = [{ kind: 'energy' as const, net }]
  const to = addDays(day, -random(20))
  return {
    id,
    kind,
    number: id,
    issued: day,
    to,
    buyer: CUSTOMER,
    lines,
    allowances: [],
    vat,
    totals: { gross: net + tax },
  }
}

/** A random history of an account, in the terms of the payment ledger: documents, money in and out, and reversals. */
export function randomLedger(random: RandomInteger, steps: number): RandomLedger {
  const ledger: RandomLedger = { documents: [], moneys: [], used: [], matches: [], items: new Map() }
  const { items, matches } = ledger
  const opens = (side: Item['side']) => [...items.values()].filter((item) => item.side === side && item.open > 0)
  const match = (debit: Item, credit: Item): number => {
    const cents = Math.min(debit.open, credit.open)
    if (cents === 0) return 0
    matches.push({ debit: debit.id, credit: credit.id, cents })
    debit.open -= cents
    credit.open -= cents
    return cents
  }
  const put = (id: string, side: Item['side'], open: number, receipt = false): Item => {
    const item = { id, side, open, receipt }
    items.set(id, item)
    return item
  }
  let day = '2026-01-03'
  const use = (credit: Item, cents: number, id: string) => {
    if (credit.receipt && cents > 0)
      ledger.used.push({ id, paymentId: credit.id, cents, day, ref: id, customer: CUSTOMER })
  }
  const issue = (id: string) => {
    const kind = random(5) === 0 ? 'creditNote' : 'invoice'
    const document = randomDocument(random, id, day, kind)
    ledger.documents.push(document)
    const own = put(id, kind === 'invoice' ? 'debit' : 'credit', document.totals.gross)
    for (const other of opens(own.side === 'debit' ? 'credit' : 'debit'))
      own.side === 'debit' ? use(other, match(own, other), `${id}-${other.id}`) : match(other, own)
  }
  const receive = (id: string) => {
    const kind = random(6) === 0 ? 'writeOff' : 'receipt'
    const owed = opens('debit').reduce((sum, { open }) => sum + open, 0)
    const cents = kind === 'writeOff' ? Math.min(owed, 1 + random(3_000)) : 1 + random(12_000)
    if (cents === 0) return
    const own = put(id, 'credit', cents, true)
    for (const debit of opens('debit')) match(debit, own)
    ledger.moneys.push({ ...about, id, kind, cents, day, advance: own.open, back: null })
  }
  const takeBack = (id: string) => {
    const gone = new Set(ledger.moneys.map(({ back }) => back?.id))
    const [first] = ledger.moneys.filter((one) => !one.back && one.kind !== 'refund' && !gone.has(one.id))
    const refunded = first && matches.some(({ credit, debit }) => credit === first.id && debit.startsWith('R'))
    const own = first && items.get(first.id)
    if (!first || !own || refunded) return
    const opened = matches.filter(({ credit }) => credit === first.id)
    for (const { debit, credit, cents } of opened) {
      matches.push({ debit, credit, cents: -cents })
      const item = items.get(debit)
      if (item) item.open += cents
    }
    ledger.moneys.push({ ...first, id, day, advance: own.open, back: { id: first.id, kind: 'return' } })
    own.open = 0
  }
  const refund = (id: string) => {
    const [from] = opens('credit')
    if (!from) return
    const own = put(id, 'debit', from.open)
    const cents = match(own, from)
    const fact = { ...about, id, kind: 'refund' as const, cents, day, advance: from.receipt ? cents : 0, back: null }
    ledger.moneys.push(fact)
  }
  const moves = [issue, issue, receive, receive, takeBack, refund]
  for (let step = 0; step < steps; step++) {
    day = addDays(day, random(9))
    const at = random(moves.length)
    moves[at]?.(`${'IIPPBR'[at]}${step}`)
  }
  return ledger
}
