import { z } from 'zod'
import { MAIL_RETRY_OPTIONS } from '../../../core/company-mail.ts'
import type { Deps } from '../../../deps.ts'
import { defineJob, PermanentJobError } from '../../../jobs/job.ts'
import { storeDocumentFiles } from './document-files.ts'
import { mailDocuments } from './invoice-mail.ts'
import { findInvoiceById, type InvoiceRecord } from './load-invoice.ts'
import { depositDocument, importPlatformAnswers } from './send-invoices.ts'
import { anchorUpgradedSequences } from './sequence-anchors.ts'

const InvoiceJobInput = z.object({ companyId: z.int(), invoiceId: z.string() })

async function requireInvoice(
  { db }: Deps,
  { companyId, invoiceId }: z.output<typeof InvoiceJobInput>,
): Promise<InvoiceRecord> {
  const invoice = await findInvoiceById(db, companyId, invoiceId)
  if (!invoice) throw new PermanentJobError(`invoice ${invoiceId} is not there`)
  return invoice
}

export const invoiceJobs = {
  /** PDF and XML of an issued document. */
  'invoice.files': defineJob({
    input: InvoiceJobInput,
    parallel: 2,
    run: async (deps, input) => storeDocumentFiles(deps, await requireInvoice(deps, input)),
  }),
  'invoice.mail': defineJob({
    input: InvoiceJobInput.extend({ deliveryId: z.string() }),
    parallel: 2,
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 120 },
    run: async (deps, input, task) => {
      const item = { invoice: await requireInvoice(deps, input), deliveryId: input.deliveryId }
      return mailDocuments(deps, [item], task)
    },
  }),
  /** Sends the documents of one buyer in one message. */
  'invoice.mails': defineJob({
    input: z.object({
      companyId: z.int(),
      items: z.array(z.object({ invoiceId: z.string(), deliveryId: z.string() })).min(1),
    }),
    parallel: 2,
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 300 },
    run: async (deps, { companyId, items }, task) => {
      const wanted = []
      for (const { invoiceId, deliveryId } of items)
        wanted.push({ invoice: await requireInvoice(deps, { companyId, invoiceId }), deliveryId })
      return mailDocuments(deps, wanted, task)
    },
  }),
  'invoice.platform': defineJob({
    input: InvoiceJobInput.extend({ deliveryId: z.string() }),
    parallel: 2,
    run: async (deps, input) => depositDocument(deps, await requireInvoice(deps, input), input.deliveryId),
  }),
  /** Needed until a day after the upgrade; later runs find nothing to do. */
  'invoice.anchor': defineJob({ input: z.object({}), atStart: true, cron: '37 * * * *', run: anchorUpgradedSequences }),
  'invoice.answers': defineJob({ input: z.object({}), cron: '*/5 * * * *', run: importPlatformAnswers }),
}
