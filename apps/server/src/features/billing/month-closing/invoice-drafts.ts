import type { InvoiceSnapshot, SnapshotBuyer, SnapshotLine, SnapshotSeller } from '@voisol/contract/invoice-snapshot'
import type { BuyerKind, VatMode } from '@voisol/contract/money'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { type BillingDocument, getDocumentKey, joinDocuments } from '@voisol/money/document'
import type { DocumentLine } from '@voisol/money/document-lines'
import type { z } from 'zod'
import type { OperationRow } from '../../../core/access-scopes.ts'
import type { SnapshotDraft } from '../invoices/index.ts'
import type { EffectiveSettings } from '../settings/index.ts'
import { getRuleLabel } from './checklist-messages.ts'
import type { MonthResult, StoredComputation } from './stored-months.ts'

export type InvoiceContext = {
  operation: OperationRow
  patrimonial: boolean
  settings: EffectiveSettings
  sellers: Map<string, { seller: z.infer<typeof SnapshotSeller>; mandate: InvoiceSnapshot['mandate'] }>
  buyers: Map<string, z.infer<typeof SnapshotBuyer>>
}

/** The documents of one month, or of several invoiced together; each line keeps its own month. */
export function buildInvoiceDrafts(context: InvoiceContext, months: StoredComputation[]): SnapshotDraft[] {
  const all = months.flatMap((month) => month.outcome.documents.map((document) => ({ month, document })))
  return [...Map.groupBy(all, ({ document }) => getDocumentKey(document)).values()].flatMap((own) => {
    const joined = joinDocuments(own.map(({ document }) => document))
    return joined ? [buildDraft(context, months, own, joined)] : []
  })
}

type MonthDocuments = { month: StoredComputation; document: BillingDocument }[]

function buildDraft(
  context: InvoiceContext,
  months: StoredComputation[],
  own: MonthDocuments,
  document: BillingDocument,
): SnapshotDraft {
  const party = context.sellers.get(document.seller)
  const buyer = context.buyers.get(document.buyer)
  const last = months.at(-1)
  if (!party || !buyer || !last) throw new Error(`a document without parties: ${getDocumentKey(document)}`)
  const free = document.document === 'statement' && context.settings['statement.whenFree'].value
  const statement = context.patrimonial || free
  const { seller } = party
  const mandate = statement ? null : party.mandate
  const { operation } = context
  const energy = document.lines.some(({ kind }) => kind === 'energy')
  const about = { document, statement, mode: seller.vatMode, buyer: buyer.kind }
  return {
    seriesKind: statement ? 'statement' : 'invoice',
    dueDays: statement ? 0 : computeDueDays(context.settings, buyer.kind),
    snapshot: {
      format: 1,
      kind: statement ? 'statement' : 'invoice',
      typeCode: statement ? null : 380,
      from: `${months[0]?.input.month ?? last.input.month}-01`,
      to: addMonths(`${last.input.month}-01`, 1),
      apart: document.apart,
      seller,
      buyer,
      operation: {
        id: operation.id,
        name: operation.name,
        accNumber: operation.accNumber ?? '',
        pmoName: operation.pmoName,
        pmoSiren: operation.pmoSiren,
      },
      mandate,
      lines: own.flatMap(({ month, document: { lines } }) => lines.map((line) => toSnapshotLine(line, month))),
      allowances: own.flatMap(({ month, document: { allowances } }) =>
        allowances.map((allowance) => ({ ...allowance, label: month.frame.labels[allowance.id] || 'Remise' })),
      ),
      vat: [...document.vat],
      totals: document.totals,
      points: energy ? joinPointDetails(months.map((month) => buildPointDetails(month, document.buyer))) : [],
      corrects: null,
      mentions: buildMentions(context.settings, {
        ...about,
        mandate: mandate && { by: mandate.by, seller: seller.name },
      }),
      sources: listSources(context, months),
    },
  }
}

function listSources({ settings }: InvoiceContext, months: StoredComputation[]): InvoiceSnapshot['sources'] {
  const uniqueById = <T extends { id: string }>(things: T[]) => [
    ...new Map(things.map((thing) => [thing.id, thing])).values(),
  ]
  return {
    computation: months.map(({ hash }) => hash).join(' '),
    runs: uniqueById(months.flatMap(({ frame }) => frame.runs)),
    keys: uniqueById(months.flatMap(({ frame }) => frame.keys)),
    tariffs: uniqueById(months.flatMap(({ frame }) => frame.tariffs)),
    settings: Object.values(settings).map(({ name, from, source }) => ({ name, from, source })),
  }
}

const TIME_CLASS_LABELS: Record<string, string> = {
  P: 'pointe',
  HPH: 'heures pleines, saison haute',
  HCH: 'heures creuses, saison haute',
  HPB: 'heures pleines, saison basse',
  HCB: 'heures creuses, saison basse',
}
const FEE_PERIOD_LABELS = { month: 'mois', quarter: 'trimestre', year: 'année' } as const

/** « Énergie locale, heures pleines, saison basse — Toiture école »: the label follows what the price rule names. */
function buildEnergyLabel(line: DocumentLine, { input, frame }: MonthResult): string {
  const rule = input.tariffs.flatMap(({ rules }) => rules).find(({ id }) => id === line.rule)
  const producer = frame.producers.find(({ id }) => id === rule?.producer)
  const own = getRuleLabel(frame.labels, line.rule)
  const hours = rule?.class ? `, ${TIME_CLASS_LABELS[rule.class] ?? rule.class}` : ''
  const whose = producer?.label || own
  return `Énergie locale${hours}${whose ? ` — ${whose}` : ''}`
}

function buildLineLabel(line: DocumentLine, month: MonthResult): string {
  if (line.kind === 'fee') {
    const own = month.frame.labels[line.rule] || 'Frais'
    return `${own}${line.kva === null ? '' : ` (${line.kva}\u00a0kVA)`}, par ${FEE_PERIOD_LABELS[line.every]}`
  }
  return line.kind === 'accise' ? `Accise sur l’électricité, ${line.acciseClass}` : buildEnergyLabel(line, month)
}

/** A line with its printed label. */
export const toSnapshotLine = (line: DocumentLine, month: MonthResult): SnapshotLine => {
  const label = buildLineLabel(line, month)
  if (line.kind !== 'energy') return { ...line, label }
  const { index, ...trace } = line.trace
  if (!index) return { ...line, label, trace: { ...trace, index: null } }
  const { value, base, fixedBp, floor, cap } = index
  return {
    ...line,
    label,
    trace: {
      ...trace,
      index: {
        value,
        base,
        ...(fixedBp === undefined ? {} : { fixedBp }),
        ...(floor === undefined ? {} : { floor }),
        ...(cap === undefined ? {} : { cap }),
      },
    },
  }
}

type PointDetail = InvoiceSnapshot['points'][number]

const toWh = (wattMinutes: number) => Math.round(wattMinutes / 60)

/** The meters of a buyer in a month: consumption and local share, day by day. A gap is not a zero. */
function buildPointDetails({ input, frame, outcome }: MonthResult, buyer: string): PointDetail[] {
  const daily = new Map(outcome.daily)
  const units = new Map(outcome.units)
  const sources = new Map(outcome.sources)
  return frame.members
    .filter((member) => member.buyer === buyer)
    .map(({ id, prm, label, from, to, drawn }) => {
      const local = daily.get(id) ?? []
      const days = drawn
        .map((total, at) => ({ day: addDays(`${input.month}-01`, at), total, localWh: local[at] ?? 0 }))
        .filter(({ day }) => from <= day && (to === null || day < to))
      const whole = days.every(({ total }) => total !== null)
      return {
        prm,
        label,
        totalWh: whole ? toWh(days.reduce((sum, { total }) => sum + (total ?? 0), 0)) : null,
        localWh: (units.get(id) ?? 0) * input.resolutionWh,
        source: sources.get(prm) ?? 'definitive',
        days: days.map(({ day, total, localWh }) => ({ day, localWh, totalWh: total === null ? null : toWh(total) })),
      }
    })
}

/** Joins the details of several months on one document: one entry per meter with all its days. */
function joinPointDetails(months: PointDetail[][]): PointDetail[] {
  return [...Map.groupBy(months.flat(), ({ prm }) => prm).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const whole = own.every(({ totalWh }) => totalWh !== null)
    return [
      {
        ...first,
        totalWh: whole ? own.reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0) : null,
        localWh: own.reduce((sum, { localWh }) => sum + localWh, 0),
        source: own.find(({ source }) => source === 'provisional')?.source ?? first.source,
        days: own.flatMap(({ days }) => days),
      },
    ]
  })
}

type Mentions = InvoiceSnapshot['mentions']
type MentionSubject = {
  document: BillingDocument
  statement: boolean
  mode: VatMode
  buyer: BuyerKind
  /** Who issues in whose name; null when the seller issues its own documents. */
  mandate: { by: string; seller: string } | null
}
type MentionName = Extract<keyof EffectiveSettings, `mention.${string}`>

/** The legal sentences of a document, each under its setting's name, in print order. */
function buildMentions(
  settings: EffectiveSettings,
  { document, statement, mode, buyer, mandate }: MentionSubject,
): Mentions {
  const energy = document.lines.filter((line) => line.kind === 'energy')
  const fees = document.lines.some(({ kind }) => kind === 'fee')
  const text = (name: MentionName): Mentions[number] => ({ name, text: settings[name].value })
  const mentionIf = (so: boolean, name: MentionName): Mentions => (so ? [text(name)] : [])
  const outside = document.vat.some(({ category }) => category === 'O')
  const category = energy.length ? (fees ? 'mention.categoryMixed' : 'mention.category') : 'mention.categoryServices'
  const isProfessionalInvoice = !statement && buyer !== 'person'
  return [
    ...(mandate ? [fillMandateMention(text('mention.mandate'), mandate)] : []),
    ...mentionIf(!statement, category),
    ...mentionIf(mode === 'exempt' && !outside, 'mention.exempt'),
    ...mentionIf(outside, 'mention.outside'),
    ...mentionIf(mode === 'elsewhere' && !outside, 'mention.elsewhere'),
    ...mentionIf(
      energy.some(({ liable }) => !liable),
      'mention.acciseZero',
    ),
    ...mentionIf(energy.length > 0, 'mention.complement'),
    ...(energy.some((line) => line.source === 'provisional') ? [PROVISIONAL_MENTION] : []),
    ...mentionIf(isProfessionalInvoice, 'mention.penalties'),
    ...mentionIf(isProfessionalInvoice, 'mention.recovery'),
    ...mentionIf(!statement, 'mention.discount'),
    ...(statement ? [STATEMENT_MENTION] : []),
  ]
}

const fillMandateMention = ({ name, text }: Mentions[number], { by, seller }: { by: string; seller: string }) => ({
  name,
  text: text.replace('{PMO}', by).replace('{producteur}', seller),
})

const PROVISIONAL_MENTION = {
  name: 'source.provisional',
  text: 'Quantités provisoires, susceptibles de régularisation.',
}
const STATEMENT_MENTION = {
  name: 'statement',
  text: 'Ce relevé n’est pas une facture\u00a0: il n’appelle aucun paiement.',
}

/** Days before the due date: the company's choice, within the legal limit for this kind of buyer. */
function computeDueDays(settings: EffectiveSettings, buyer: BuyerKind): number {
  const own = settings['due.days'].value
  if (buyer === 'company') return Math.min(own, settings['due.daysBusiness'].value)
  return buyer === 'public' ? Math.min(own, settings['due.daysPublic'].value) : own
}
