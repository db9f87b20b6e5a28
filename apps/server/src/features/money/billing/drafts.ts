import type { InvoiceSnapshot, SnapshotBuyer, SnapshotSeller } from '@voisol/contract/invoice-snapshot'
import { addMonths } from '@voisol/energy/calendar'
import { type BillingDocument, getDocumentKey, joinDocuments } from '@voisol/money/document'
import type { z } from 'zod'
import type { OperationRow } from '../../../core/operation.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import type { EffectiveSettings } from '../settings/settings.ts'
import { buildMentions, computeDueDays } from './mentions.ts'
import { buildPointDetails, joinPointDetails } from './points.ts'
import { toSnapshotLine } from './snapshot-lines.ts'
import type { StoredComputation } from './stored.ts'

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
