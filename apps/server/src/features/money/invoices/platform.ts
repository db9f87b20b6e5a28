import { createHash } from 'node:crypto'
import { DeliveryWord } from '@voisol/contract/invoice-views'
import { and, eq } from 'drizzle-orm'
import { forCompany, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { GiveUp, jobId } from '../../../jobs/job.ts'
import { addStep } from './deliveries.ts'
import { type InvoiceRecord, invoiceOf } from './find.ts'
import { follow } from './follow.ts'
import { paperName, paperOf } from './papers.ts'

export const NO_PLATFORM =
  'aucune plateforme agréée n’est reliée à ce serveur (INVOICE_PLATFORM_FOLDER)\u00a0: envoyez la facture par e-mail, ou déposez-la vous-même.'

/** Leaves the Factur-X document with the platform; run again it is the same file under the same name. */
export async function depositDocument(deps: Deps, invoice: InvoiceRecord, deliveryId: string): Promise<void> {
  if (!deps.platform) throw new GiveUp('no platform is configured')
  const content = await paperOf(deps, invoice, 'pdf')
  await deps.platform.deposit(invoice.companyId, { name: paperName(invoice.snapshot, 'pdf'), content })
  const id = jobId(`invoice platform ${deliveryId}`)
  await addStep(deps.db, invoice, { id, channel: 'pa', state: 'deposited', detail: '', by: '' })
}

type Line = { number: string; word: unknown }
const STATES: Record<string, string> = {
  depose: 'deposited',
  'mis a disposition': 'available',
  rejete: 'rejected',
  refuse: 'rejected',
  paye: 'paid',
  'mis en paiement': 'paid',
}
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** « numero;etat;motif », a document on each line; a fourth column may say « chorus ». */
export function linesOf(text: string): Line[] {
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return rows
    .map((row) => row.split(';').map((cell) => cell.trim()))
    .filter(([number = '']) => number && plain(number) !== 'numero')
    .map(([number = '', state = '', detail = '', channel = '']) => ({
      number,
      word: { channel: plain(channel) === 'chorus' ? 'chorus' : 'pa', state: STATES[plain(state)] ?? state, detail },
    }))
}

/** What a file of states says, whole or not at all. */
async function takeIn(deps: Deps, companyId: number, name: string, text: string) {
  const file = createHash('sha256').update(text).digest('hex')
  await transaction(forCompany(deps.db, companyId), async (tx) => {
    for (const [at, { number, word }] of linesOf(text).entries()) {
      const place = `${name}, ligne ${at + 1}`
      const read = DeliveryWord.safeParse(word)
      if (!read.success)
        throw new AppError('invalid', {
          message: `${place}\u00a0: un état est attendu (déposé, mis à disposition, rejeté, payé), un rejet avec son motif.`,
        })
      const [row] = await tx
        .select({ id: invoices.id })
        .from(invoices)
        .where(and(eq(invoices.companyId, companyId), eq(invoices.number, number)))
      const invoice = row && (await invoiceOf(tx, companyId, row.id))
      if (!invoice)
        throw new AppError('not-found', { message: `${place}\u00a0: aucune facture ne porte le numéro ${number}.` })
      await follow(tx, invoice, { ...read.data, by: 'Plateforme', key: `platform ${companyId} ${file} ${at}` })
    }
  })
}

/** Reads what the platform has answered each company; a file that says something impossible is put aside with why. */
export async function readAnswers(deps: Deps): Promise<void> {
  const { platform } = deps
  if (!platform) return
  for (const companyId of await platform.companies())
    for (const { name, text } of await platform.answers(companyId)) {
      const refusal = await takeIn(deps, companyId, name, text).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AppError) return error.message
          throw error
        },
      )
      await platform.putAway(companyId, name, refusal)
    }
}
