import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { Answer } from '../../../compute/task.ts'
import { invoicePdf } from '../../../papers/invoice-pdf.ts'

/** A document on paper, beside the server: several hundred of them at the end of a month hold nobody up. */
export default async function draw({ snapshot, xml }: { snapshot: InvoiceSnapshot; xml: string | null }) {
  const value = new Uint8Array(await invoicePdf(snapshot, xml))
  return { value, moved: [value.buffer] } satisfies Answer<Uint8Array>
}
