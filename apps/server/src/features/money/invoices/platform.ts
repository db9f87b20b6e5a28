import { createHash } from 'node:crypto'
import { DeliveryReport } from '@voisol/contract/invoice-views'
import { and, eq } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { PermanentJobError, toStableId } from '../../../jobs/job.ts'
import { addDeliveryStep } from './deliveries.ts'
import { findInvoiceById, type InvoiceRecord } from './find.ts'
import { recordDeliveryState } from './follow.ts'
import { buildDocumentFileName, loadDocumentFile } from './papers.ts'

export const NO_PLATFORM_MESSAGE =
  'aucune plateforme agréée n’est reliée à ce serveur (INVOICE_PLATFORM_FOLDER)\u00a0: envoyez la facture par e-mail, ou déposez-la vous-même.'

/** Deposits the Factur-X file with the platform; running it again writes the same file under the same name. */
export async function depositDocument(deps: Deps, invoice: InvoiceRecord, deliveryId: string): Promise<void> {
  if (!deps.platform) throw new PermanentJobError('no platform is configured')
  const content = await loadDocumentFile(deps, invoice, 'pdf')
  await deps.platform.deposit(invoice.companyId, { name: buildDocumentFileName(invoice.snapshot, 'pdf'), content })
  const id = toStableId(`invoice platform ${deliveryId}`)
  await addDeliveryStep(deps.db, invoice, { id, channel: 'pa', state: 'deposited', detail: '', by: '' })
}

type AnswerLine = { number: string; word: unknown }
const STATE_BY_LABEL: Record<string, string> = {
  depose: 'deposited',
  'mis a disposition': 'available',
  rejete: 'rejected',
  refuse: 'rejected',
  paye: 'paid',
  'mis en paiement': 'paid',
}
const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** « numero;etat;motif », one document per line; a fourth column may say « chorus ». */
export function parseAnswerLines(text: string): AnswerLine[] {
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return rows
    .map((row) => row.split(';').map((cell) => cell.trim()))
    .filter(([number = '']) => number && normalizeText(number) !== 'numero')
    .map(([number = '', state = '', detail = '', channel = '']) => ({
      number,
      word: {
        channel: normalizeText(channel) === 'chorus' ? 'chorus' : 'pa',
        state: STATE_BY_LABEL[normalizeText(state)] ?? state,
        detail,
      },
    }))
}

/** Imports a file of states, entirely or not at all. */
async function importAnswerFile(deps: Deps, companyId: number, name: string, text: string) {
  const file = createHash('sha256').update(text).digest('hex')
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    for (const [at, { number, word }] of parseAnswerLines(text).entries()) {
      const place = `${name}, ligne ${at + 1}`
      const read = DeliveryReport.safeParse(word)
      if (!read.success)
        throw new AppError('invalid', {
          message: `${place}\u00a0: un état est attendu (déposé, mis à disposition, rejeté, payé), un rejet avec son motif.`,
        })
      const [row] = await tx
        .select({ id: invoices.id })
        .from(invoices)
        .where(and(eq(invoices.companyId, companyId), eq(invoices.number, number)))
      const invoice = row && (await findInvoiceById(tx, companyId, row.id))
      if (!invoice)
        throw new AppError('not-found', { message: `${place}\u00a0: aucune facture ne porte le numéro ${number}.` })
      await recordDeliveryState(tx, invoice, {
        ...read.data,
        by: 'Plateforme',
        key: `platform ${companyId} ${file} ${at}`,
      })
    }
  })
}

/** Reads the platform's answers for each company; an invalid file is set aside with the reason. */
export async function importPlatformAnswers(deps: Deps): Promise<void> {
  const { platform } = deps
  if (!platform) return
  for (const companyId of await platform.companies())
    for (const { name, text } of await platform.answers(companyId)) {
      const refusal = await importAnswerFile(deps, companyId, name, text).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AppError) return error.message
          throw error
        },
      )
      await platform.putAway(companyId, name, refusal)
    }
}
