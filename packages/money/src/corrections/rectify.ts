import { type Document, documentName, sum } from '../documents/document.ts'
import type { VatGroup } from '../documents/vat.ts'
import {
  type Change,
  type CorrectedAllowance,
  type CorrectedLine,
  changeOf,
  type Figures,
  negative,
  type Pair,
  withSign,
} from './changes.ts'

/** A credit note or a complementary invoice, with the signs that are printed on it. */
export type Correction = Pair & {
  readonly document: 'creditNote' | 'complement'
  readonly typeCode: 380 | 381
  readonly lines: readonly CorrectedLine[]
  readonly allowances: readonly CorrectedAllowance[]
  readonly vat: readonly VatGroup[]
  readonly totals: Figures
  /** Signed: by how much what the buyer owes changes. */
  readonly delta: Figures
}
/** Too small to be sent for now, or too old to be claimed from a person. */
export type Waiting = Pair & { readonly document: 'held' | 'barred'; readonly delta: Figures }

/** Below zero a credit note, its signs inverted; above it a complementary invoice. */
function printed({ lines, allowances, vat, delta, ...pair }: Change): Correction {
  const credit = delta.gross < 0
  const sign = credit ? -1 : 1
  const turned = (value: number) => (credit ? negative(value) : value)
  return {
    ...pair,
    document: credit ? 'creditNote' : 'complement',
    typeCode: credit ? 381 : 380,
    lines: lines.map((line) => withSign(line, sign)),
    allowances: allowances.map((each) => ({ ...each, amount: turned(each.amount) })),
    vat: vat.map((group) => ({ ...group, base: turned(group.base), tax: turned(group.tax) })),
    totals: { net: turned(delta.net), tax: turned(delta.tax), gross: turned(delta.gross) },
    delta,
  }
}

/** What stands issued for a month, corrections included, and what it is computed to be today. */
export type MonthToRectify = {
  readonly issued: readonly Document[]
  readonly clean: readonly Document[]
  /** The month is too old for this buyer to be asked for more. */
  readonly isBarred?: (buyer: string) => boolean
  /** The year of what changes for this buyer has ended: it is held no longer. */
  readonly isOver?: (buyer: string) => boolean
}
export type HoldRules = {
  readonly thresholdCents: number
  /** At exit nothing is held. */
  readonly flush?: boolean
}
export type Rectified = {
  readonly corrections: readonly (Correction | Waiting)[]
  /** Statements of 0 € whose quantities changed. */
  readonly reissued: readonly Document[]
  /** What stands issued once the corrections are: their pairs as computed, the others as they were. */
  readonly standing: readonly Document[]
  /** Where quantities stay other than computed: held, too old, or without a cent of difference. */
  readonly uncorrected: readonly (Pair & { readonly wh: number })[]
}

type Named = { name: string; old: Document | undefined; now: Document | undefined; change: Change }

function changesOf(issued: readonly Document[], clean: readonly Document[]): Named[] {
  const before = new Map(issued.map((document) => [documentName(document), document]))
  const after = new Map(clean.map((document) => [documentName(document), document]))
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)]
    const pair = now ?? old
    if (!pair) return []
    const { seller, buyer, apart } = pair
    return [{ name, old, now, change: changeOf({ seller, buyer, apart }, old, now) }]
  })
}

const owesNothing = (document: Document | undefined) => document === undefined || document.document === 'statement'
const pairName = ({ seller, buyer }: Pair) => JSON.stringify([seller, buyer])

const barred = ({ change }: Named, month: MonthToRectify) =>
  change.delta.gross > 0 && (month.isBarred?.(change.buyer) ?? false)

/** What becomes of a change: sent, held below the threshold, too old, or nothing to tell. */
function verdictOf(named: Named, month: MonthToRectify, held: boolean) {
  const { old, now, change } = named
  if (change.vat.length === 0) {
    const quantities = change.lines.length > 0 && owesNothing(old) && owesNothing(now)
    return quantities ? 'reissue' : 'none'
  }
  if (barred(named, month)) return 'barred'
  return held ? 'held' : 'sent'
}

type Judged = Named & { verdict: ReturnType<typeof verdictOf> }

function resultOf(judged: readonly Judged[]): Rectified {
  const corrections: (Correction | Waiting)[] = []
  const reissued: Document[] = []
  const standing: Document[] = []
  const uncorrected: (Pair & { wh: number })[] = []
  for (const { old, now, change, verdict } of judged) {
    const { seller, buyer, apart, delta } = change
    if (verdict === 'sent') corrections.push(printed(change))
    if (verdict === 'held' || verdict === 'barred') corrections.push({ seller, buyer, apart, document: verdict, delta })
    if (verdict === 'reissue' && now) reissued.push(now)
    const stands = verdict === 'sent' || verdict === 'reissue' ? now : old
    if (stands) standing.push(stands)
    const wh = whOf(now) - whOf(stands)
    if (wh !== 0) uncorrected.push({ seller, buyer, apart, wh })
  }
  return { corrections, reissued, standing, uncorrected }
}

/**
 * What issued documents need so that issued and corrections equal a clean recomputation, to the cent and by rate. Months are
 * judged together: what several of them hold for one seller and buyer is sent once its sum reaches the threshold, or with
 * what of it is of a year that has ended.
 */
export function rectifyMonths(months: readonly MonthToRectify[], rules: HoldRules): Rectified[] {
  const named = months.map((month) => ({ month, changes: changesOf(month.issued, month.clean) }))
  const gross = new Map<string, number>()
  const over = new Set<string>()
  for (const { month, changes } of named)
    for (const each of changes) {
      if (barred(each, month)) continue
      const name = pairName(each.change)
      gross.set(name, (gross.get(name) ?? 0) + each.change.delta.gross)
      if (each.change.vat.length > 0 && month.isOver?.(each.change.buyer)) over.add(name)
    }
  const isHeld = (name: string) =>
    !rules.flush && !over.has(name) && Math.abs(gross.get(name) ?? 0) < rules.thresholdCents
  return named.map(({ month, changes }) =>
    resultOf(changes.map((each) => ({ ...each, verdict: verdictOf(each, month, isHeld(pairName(each.change))) }))),
  )
}

export function rectify({ issued, clean, isBarred, ...rules }: MonthToRectify & HoldRules): Rectified {
  const [only] = rectifyMonths([{ issued, clean, ...(isBarred ? { isBarred } : {}) }], rules)
  return only ?? { corrections: [], reissued: [], standing: [], uncorrected: [] }
}

/** Watt-hours of a document's energy. */
export const whOf = (document: Document | undefined): number =>
  sum((document?.lines ?? []).map((line) => (line.kind === 'energy' ? line.wh : 0)))

/** The mirror credit note of all that stands issued for a document: a wrong buyer, then a new invoice. */
export function cancelDocument(issued: Document): Correction | undefined {
  const [correction] = rectify({ issued: [issued], clean: [], thresholdCents: 0, flush: true }).corrections
  return correction && 'lines' in correction ? correction : undefined
}
