import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'

const sumLineEnergy = ({ lines }: InvoiceSnapshot): number =>
  lines.reduce((sum, line) => sum + (line.kind === 'energy' ? line.wh : 0), 0)

/** The columns that lists filter on, taken only from the snapshot: a column that differs was tampered with. */
export const toInvoiceColumns = (snapshot: InvoiceSnapshot) => ({
  operationId: snapshot.operation.id,
  sellerId: snapshot.seller.id,
  kind: snapshot.kind,
  apart: snapshot.apart,
  number: snapshot.number,
  issuedOn: snapshot.issuedOn,
  dueOn: snapshot.dueOn,
  from: snapshot.from,
  to: snapshot.to,
  wh: sumLineEnergy(snapshot),
  net: snapshot.totals.net,
  tax: snapshot.totals.tax,
  gross: snapshot.totals.gross,
  correctsId: snapshot.corrects?.id ?? null,
  reason: snapshot.corrects?.reason ?? '',
})
