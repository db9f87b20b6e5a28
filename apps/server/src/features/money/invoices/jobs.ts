import { z } from 'zod'
import { MAIL_RETRIES } from '../../../core/mail-retries.ts'
import type { Deps } from '../../../deps.ts'
import { GiveUp, job } from '../../../jobs/job.ts'
import { anchorUpgraded } from './anchor.ts'
import { type InvoiceRecord, invoiceOf } from './find.ts'
import { mailDocuments } from './mail.ts'
import { keepPapers } from './papers.ts'
import { depositDocument, readAnswers } from './platform.ts'

const Which = z.object({ companyId: z.int(), invoiceId: z.string() })

async function named({ db }: Deps, { companyId, invoiceId }: z.output<typeof Which>): Promise<InvoiceRecord> {
  const invoice = await invoiceOf(db, companyId, invoiceId)
  if (!invoice) throw new GiveUp(`invoice ${invoiceId} is not there`)
  return invoice
}

export const invoiceJobs = {
  /** PDF and XML of an issued document. */
  'invoice.files': job({
    input: Which,
    parallel: 2,
    run: async (deps, input) => keepPapers(deps, await named(deps, input)),
  }),
  'invoice.mail': job({
    input: Which.extend({ deliveryId: z.string() }),
    parallel: 2,
    policy: { ...MAIL_RETRIES, expireInSeconds: 120 },
    run: async (deps, input, task) => {
      const item = { invoice: await named(deps, input), deliveryId: input.deliveryId }
      return mailDocuments(deps, [item], task)
    },
  }),
  /** What one buyer is sent at once, in one message. */
  'invoice.mails': job({
    input: z.object({
      companyId: z.int(),
      items: z.array(z.object({ invoiceId: z.string(), deliveryId: z.string() })).min(1),
    }),
    parallel: 2,
    policy: { ...MAIL_RETRIES, expireInSeconds: 300 },
    run: async (deps, { companyId, items }, task) => {
      const wanted = []
      for (const { invoiceId, deliveryId } of items)
        wanted.push({ invoice: await named(deps, { companyId, invoiceId }), deliveryId })
      return mailDocuments(deps, wanted, task)
    },
  }),
  'invoice.platform': job({
    input: Which.extend({ deliveryId: z.string() }),
    parallel: 2,
    run: async (deps, input) => depositDocument(deps, await named(deps, input), input.deliveryId),
  }),
  /** Until a day after the upgrade; later it finds that nothing is left to do. */
  'invoice.anchor': job({ input: z.object({}), atStart: true, cron: '37 * * * *', run: anchorUpgraded }),
  'invoice.answers': job({ input: z.object({}), cron: '*/5 * * * *', run: readAnswers }),
}
