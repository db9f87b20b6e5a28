import type { InvoiceSnapshot, SnapshotBuyer, SnapshotSeller } from '@voisol/contract/invoice-snapshot'
import { addMonths } from '@voisol/energy/calendar'
import { type Document, documentName, joinDocuments } from '@voisol/money/document'
import type { z } from 'zod'
import type { OperationRow } from '../../../core/operation.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import type { HeldSettings } from '../settings/settings.ts'
import { dueDaysFor, mentionsOf } from './mentions.ts'
import { joinPoints, pointsOf } from './points.ts'
import { lineOf } from './snapshot-lines.ts'
import type { Computed } from './stored.ts'

export type Desk = {
  operation: OperationRow
  patrimonial: boolean
  settings: HeldSettings
  sellers: Map<string, { seller: z.infer<typeof SnapshotSeller>; mandate: InvoiceSnapshot['mandate'] }>
  buyers: Map<string, z.infer<typeof SnapshotBuyer>>
}

/** The documents of one month, or of several that are invoiced together: lines stay those of their month. */
export function draftsOf(desk: Desk, months: Computed[]): SnapshotDraft[] {
  const all = months.flatMap((month) => month.outcome.documents.map((document) => ({ month, document })))
  return [...Map.groupBy(all, ({ document }) => documentName(document)).values()].flatMap((own) => {
    const joined = joinDocuments(own.map(({ document }) => document))
    return joined ? [draftOf(desk, months, own, joined)] : []
  })
}

type Own = { month: Computed; document: Document }[]

function draftOf(desk: Desk, months: Computed[], own: Own, document: Document): SnapshotDraft {
  const party = desk.sellers.get(document.seller)
  const buyer = desk.buyers.get(document.buyer)
  const last = months.at(-1)
  if (!party || !buyer || !last) throw new Error(`a document without parties: ${documentName(document)}`)
  const free = document.document === 'statement' && desk.settings['statement.whenFree'].value
  const statement = desk.patrimonial || free
  const { seller } = party
  const mandate = statement ? null : party.mandate
  const { operation } = desk
  const energy = document.lines.some(({ kind }) => kind === 'energy')
  const about = { document, statement, mode: seller.vatMode, buyer: buyer.kind }
  return {
    seriesKind: statement ? 'statement' : 'invoice',
    dueDays: statement ? 0 : dueDaysFor(desk.settings, buyer.kind),
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
      lines: own.flatMap(({ month, document: { lines } }) => lines.map((line) => lineOf(line, month))),
      allowances: own.flatMap(({ month, document: { allowances } }) =>
        allowances.map((allowance) => ({ ...allowance, label: month.frame.labels[allowance.id] || 'Remise' })),
      ),
      vat: [...document.vat],
      totals: document.totals,
      points: energy ? joinPoints(months.map((month) => pointsOf(month, document.buyer))) : [],
      corrects: null,
      mentions: mentionsOf(desk.settings, {
        ...about,
        mandate: mandate && { by: mandate.by, seller: seller.name },
      }),
      sources: sourcesOf(desk, months),
    },
  }
}

function sourcesOf({ settings }: Desk, months: Computed[]): InvoiceSnapshot['sources'] {
  const once = <T extends { id: string }>(things: T[]) => [
    ...new Map(things.map((thing) => [thing.id, thing])).values(),
  ]
  return {
    computation: months.map(({ hash }) => hash).join(' '),
    runs: once(months.flatMap(({ frame }) => frame.runs)),
    keys: once(months.flatMap(({ frame }) => frame.keys)),
    tariffs: once(months.flatMap(({ frame }) => frame.tariffs)),
    settings: Object.values(settings).map(({ name, from, source }) => ({ name, from, source })),
  }
}
