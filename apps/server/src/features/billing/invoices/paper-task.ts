import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { buildInvoicePdf } from '@voisol/documents/invoice-pdf'
import type { TaskResult } from '../../../workers/task.ts'

/** Renders a document's PDF in a worker thread: several hundred at the end of a month do not block requests. */
export default async function renderInvoicePdf({ snapshot, xml }: { snapshot: InvoiceSnapshot; xml: string | null }) {
  const value = new Uint8Array(await buildInvoicePdf(snapshot, xml))
  return { value, moved: [value.buffer] } satisfies TaskResult<Uint8Array>
}
