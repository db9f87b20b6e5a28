import { type BillingDocument, getDocumentKey, sumFigures } from '../documents/document.ts'
import {
  type Allowance,
  arePrintedAlike,
  compareVatGroups,
  type DocumentLine,
  getLineKey,
  getVatGroupKey,
  type VatGroup,
} from '../documents/document-lines.ts'

/** A credit note or a complementary invoice, with the signs that are printed on it. */
export type Correction = DocumentParties & {
  readonly document: 'creditNote' | 'complement'
  readonly typeCode: 380 | 381
  readonly lines: readonly CorrectedLine[]
  readonly allowances: readonly CorrectedAllowance[]
  readonly vat: readonly VatGroup[]
  readonly totals: CorrectionTotals
  /** Signed change of what the buyer owes. */
  readonly delta: CorrectionTotals
}
/** Too small to be sent for now, or too old to be claimed from a private person. */
export type UnsentCorrection = DocumentParties & {
  readonly document: 'held' | 'barred'
  readonly delta: CorrectionTotals
}

/** A negative change is a credit note, with inverted signs; a positive one a complementary invoice. */
function toCorrection({ lines, allowances, vat, delta, ...pair }: DocumentChange): Correction {
  const credit = delta.gross < 0
  const sign = credit ? -1 : 1
  const reverseSign = (value: number) => (credit ? negate(value) : value)
  return {
    ...pair,
    document: credit ? 'creditNote' : 'complement',
    typeCode: credit ? 381 : 380,
    lines: lines.map((line) => applySign(line, sign)),
    allowances: allowances.map((each) => ({ ...each, amount: reverseSign(each.amount) })),
    vat: vat.map((group) => ({ ...group, base: reverseSign(group.base), tax: reverseSign(group.tax) })),
    totals: { net: reverseSign(delta.net), tax: reverseSign(delta.tax), gross: reverseSign(delta.gross) },
    delta,
  }
}

/** What is currently issued for a month, corrections included, and what it is computed to be today. */
export type MonthToRectify = {
  readonly issued: readonly BillingDocument[]
  readonly clean: readonly BillingDocument[]
  /** The month is too old to claim more from this buyer. */
  readonly isBarred?: (buyer: string) => boolean
  /** The year of the change has ended for this buyer: small changes are no longer withheld. */
  readonly isOver?: (buyer: string) => boolean
}
type WithholdingRules = {
  readonly thresholdCents: number
  /** At exit, everything is sent. */
  readonly flush?: boolean
}
export type RectificationResult = {
  readonly corrections: readonly (Correction | UnsentCorrection)[]
  /** Statements of 0 € whose quantities changed. */
  readonly reissued: readonly BillingDocument[]
  /** What is in force once the corrections are issued: their pairs as computed, the others unchanged. */
  readonly standing: readonly BillingDocument[]
  /** Where quantities stay different from the computation: withheld, too old, or no cent of difference. */
  readonly uncorrected: readonly (DocumentParties & { readonly wh: number })[]
}

type NamedChange = {
  name: string
  old: BillingDocument | undefined
  now: BillingDocument | undefined
  change: DocumentChange
}

function listChanges(issued: readonly BillingDocument[], clean: readonly BillingDocument[]): NamedChange[] {
  const before = new Map(issued.map((document) => [getDocumentKey(document), document]))
  const after = new Map(clean.map((document) => [getDocumentKey(document), document]))
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)]
    const pair = now ?? old
    if (!pair) return []
    const { seller, buyer, apart } = pair
    return [{ name, old, now, change: computeDocumentChange({ seller, buyer, apart }, old, now) }]
  })
}

const owesNothing = (document: BillingDocument | undefined) =>
  document === undefined || document.document === 'statement'
const getPartiesKey = ({ seller, buyer }: DocumentParties) => JSON.stringify([seller, buyer])

const isChangeBarred = ({ change }: NamedChange, month: MonthToRectify) =>
  change.delta.gross > 0 && (month.isBarred?.(change.buyer) ?? false)

/** What becomes of a change: sent, withheld below the threshold, too old, or nothing to correct. */
function decideVerdict(named: NamedChange, month: MonthToRectify, held: boolean) {
  const { old, now, change } = named
  if (change.vat.length === 0) {
    const quantities = change.lines.length > 0 && owesNothing(old) && owesNothing(now)
    return quantities ? 'reissue' : 'none'
  }
  if (isChangeBarred(named, month)) return 'barred'
  return held ? 'held' : 'sent'
}

type JudgedChange = NamedChange & { verdict: ReturnType<typeof decideVerdict> }

function toRectificationResult(judged: readonly JudgedChange[]): RectificationResult {
  const corrections: (Correction | UnsentCorrection)[] = []
  const reissued: BillingDocument[] = []
  const standing: BillingDocument[] = []
  const uncorrected: (DocumentParties & { wh: number })[] = []
  for (const { old, now, change, verdict } of judged) {
    const { seller, buyer, apart, delta } = change
    if (verdict === 'sent') corrections.push(toCorrection(change))
    if (verdict === 'held' || verdict === 'barred') corrections.push({ seller, buyer, apart, document: verdict, delta })
    if (verdict === 'reissue' && now) reissued.push(now)
    const stands = verdict === 'sent' || verdict === 'reissue' ? now : old
    if (stands) standing.push(stands)
    const wh = sumDocumentWh(now) - sumDocumentWh(stands)
    if (wh !== 0) uncorrected.push({ seller, buyer, apart, wh })
  }
  return { corrections, reissued, standing, uncorrected }
}

/**
 * The corrections with which issued documents equal a clean recomputation, to the cent and by rate. Months are judged
 * together: what several of them withhold for one seller and buyer is sent once its sum reaches the threshold, or
 * together with what belongs to an ended year.
 */
export function rectifyMonths(months: readonly MonthToRectify[], rules: WithholdingRules): RectificationResult[] {
  const named = months.map((month) => ({ month, changes: listChanges(month.issued, month.clean) }))
  const gross = new Map<string, number>()
  const over = new Set<string>()
  for (const { month, changes } of named)
    for (const each of changes) {
      if (isChangeBarred(each, month)) continue
      const name = getPartiesKey(each.change)
      gross.set(name, (gross.get(name) ?? 0) + each.change.delta.gross)
      if (each.change.vat.length > 0 && month.isOver?.(each.change.buyer)) over.add(name)
    }
  const isHeld = (name: string) =>
    !rules.flush && !over.has(name) && Math.abs(gross.get(name) ?? 0) < rules.thresholdCents
  return named.map(({ month, changes }) =>
    toRectificationResult(
      changes.map((each) => ({ ...each, verdict: decideVerdict(each, month, isHeld(getPartiesKey(each.change))) })),
    ),
  )
}

export function rectifyMonth({
  issued,
  clean,
  isBarred,
  ...rules
}: MonthToRectify & WithholdingRules): RectificationResult {
  const [only] = rectifyMonths([{ issued, clean, ...(isBarred ? { isBarred } : {}) }], rules)
  return only ?? { corrections: [], reissued: [], standing: [], uncorrected: [] }
}

/** Watt-hours of a document's energy. */
export const sumDocumentWh = (document: BillingDocument | undefined): number =>
  sumFigures((document?.lines ?? []).map((line) => (line.kind === 'energy' ? line.wh : 0)))

/**
 * A credit note that mirrors all that is issued for a document, for instance for a wrong buyer; a new invoice follows.
 */
export function buildCancellation(issued: BillingDocument): Correction | undefined {
  const [correction] = rectifyMonth({ issued: [issued], clean: [], thresholdCents: 0, flush: true }).corrections
  return correction && 'lines' in correction ? correction : undefined
}

type CorrectionTotals = { readonly net: number; readonly tax: number; readonly gross: number }
type CorrectedLine = DocumentLine & { readonly role: 'cancel' | 'replace' }
type CorrectedAllowance = Pick<Allowance, 'id' | 'amount' | 'category' | 'rate'>

type DocumentParties = Pick<BillingDocument, 'seller' | 'buyer' | 'apart'>
/**
 * The change between what is currently issued and the clean recomputation, signed from the side of the buyer's debt.
 */
type DocumentChange = DocumentParties & {
  lines: readonly CorrectedLine[]
  allowances: readonly CorrectedAllowance[]
  vat: readonly VatGroup[]
  delta: CorrectionTotals
}

const negate = (value: number) => 0 - value

function applySign<T extends DocumentLine>(line: T, sign: 1 | -1): T {
  if (sign === 1) return line
  const net = negate(line.net)
  return line.kind === 'fee' ? { ...line, net } : { ...line, net, wh: negate(line.wh) }
}

/** Each changed line twice: reversed as it was, then added as it is now. */
function listChangedLines(old: readonly DocumentLine[], now: readonly DocumentLine[]): CorrectedLine[] {
  const before = new Map(old.map((line) => [getLineKey(line), line]))
  const after = new Map(now.map((line) => [getLineKey(line), line]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): CorrectedLine[] => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was && is && arePrintedAlike(was, is)) return []
    return [
      ...(was ? [{ ...applySign(was, -1), role: 'cancel' as const }] : []),
      ...(is ? [{ ...is, role: 'replace' as const }] : []),
    ]
  })
}

function listChangedAllowances(old: readonly Allowance[], now: readonly Allowance[]): CorrectedAllowance[] {
  const nameOf = (each: Allowance) => JSON.stringify([each.id, getVatGroupKey(each)])
  const [before, after] = [Map.groupBy(old, nameOf), Map.groupBy(now, nameOf)]
  const total = (group: readonly Allowance[] | undefined) => sumFigures((group ?? []).map(({ amount }) => amount))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [first] = after.get(name) ?? before.get(name) ?? []
    const amount = total(after.get(name)) - total(before.get(name))
    return first && amount !== 0 ? [{ id: first.id, amount, category: first.category, rate: first.rate }] : []
  })
}

/** New tax less all issued tax, in each group: rate × Δ may differ by a cent, the sum of documents may not. */
function computeVatDifference(old: readonly VatGroup[], now: readonly VatGroup[]): VatGroup[] {
  const groups = Map.groupBy(
    [...old.map((group) => ({ group, sign: -1 })), ...now.map((group) => ({ group, sign: 1 }))],
    ({ group }) => getVatGroupKey(group),
  )
  return [...groups.values()]
    .flatMap((parts) => {
      const [first] = parts
      if (!first) return []
      const { category, rate } = first.group
      const base = sumFigures(parts.map(({ group, sign }) => sign * group.base))
      const tax = sumFigures(parts.map(({ group, sign }) => sign * group.tax))
      return base === 0 && tax === 0 ? [] : [{ category, rate, base, tax }]
    })
    .sort(compareVatGroups)
}

function computeDocumentChange(
  pair: DocumentParties,
  old: BillingDocument | undefined,
  now: BillingDocument | undefined,
): DocumentChange {
  const vat = computeVatDifference(old?.vat ?? [], now?.vat ?? [])
  const net = sumFigures(vat.map(({ base }) => base))
  const tax = sumFigures(vat.map((group) => group.tax))
  return {
    ...pair,
    lines: listChangedLines(old?.lines ?? [], now?.lines ?? []),
    allowances: listChangedAllowances(old?.allowances ?? [], now?.allowances ?? []),
    vat,
    delta: { net, tax, gross: net + tax },
  }
}
