import { getTargetDayFrom } from '@voisol/money/target'
import { and, eq } from 'drizzle-orm'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, payouts, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { buildTransferFile } from '../../../papers/pain-001.ts'
import { findPainErrors } from '../../../papers/pain-check.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { getToday } from '../../../today.ts'
import { type BankAccountRow, decryptAccountIban, loadBankAccount, recordPayoutsFiled } from '../bank/bank.ts'
import { decryptSellerIban } from '../parties/parties.ts'
import { lockAccounts } from '../payments/payments.ts'

type PayoutFileDeps = Pick<Deps, 'secrets' | 'files'> & { db: Db }

async function loadPlannedPayouts(tx: Db, { companyId, id }: BankAccountRow) {
  return tx
    .select({ payout: payouts, seller: sellers })
    .from(payouts)
    .innerJoin(sellers, and(eq(sellers.companyId, payouts.companyId), eq(sellers.id, payouts.sellerId)))
    .where(and(eq(payouts.companyId, companyId), eq(payouts.accountId, id), eq(payouts.status, 'planned')))
    .orderBy(payouts.createdAt, payouts.id)
}
type PlannedPayout = Awaited<ReturnType<typeof loadPlannedPayouts>>[number]

function toTransferOrder(secrets: Deps['secrets'], { payout, seller }: PlannedPayout) {
  const iban = decryptSellerIban(secrets, seller)
  if (!iban)
    throw new AppError('conflict', {
      message: `Le compte bancaire de ${seller.name} n’est pas dit\u00a0: réglez-le dans sa fiche de vendeur.`,
    })
  const { endToEndId, amount } = payout
  return { endToEndId, amount, name: seller.name, iban, bic: seller.bic, text: `Reversement ${endToEndId}` }
}

function requireTransferDay(on: string) {
  if (on < getToday()) throw fieldError('on', 'Un virement est pour aujourd’hui ou plus tard.')
  const open = getTargetDayFrom(on)
  if (open !== on)
    throw fieldError(
      'on',
      `Les banques ne virent pas le ${formatLongDay(on)}\u00a0: le premier jour ouvert est le ${formatLongDay(open)}.`,
    )
}

/** Writes one file of all planned payouts of an account, stored and never written again under the same name. */
export async function createPayoutFile(
  { db: tx, secrets, files: store }: PayoutFileDeps,
  { companyId }: Actor,
  { accountId, on }: { accountId: string; on: string },
) {
  requireTransferDay(on)
  await lockAccounts(tx, companyId)
  const account = await loadBankAccount(tx, companyId, accountId)
  const rows = await loadPlannedPayouts(tx, account)
  if (!rows.length)
    throw new AppError('conflict', { message: 'Aucun reversement n’attend d’être mis en fichier sur ce compte.' })
  const iban = decryptAccountIban(secrets, account)
  if (!iban) throw fieldError('accountId', 'L’IBAN de ce compte n’est pas dit.')
  const transfers = rows.map((row) => toTransferOrder(secrets, row))
  const messageId = `RV-${crypto.randomUUID().slice(0, 18).toUpperCase()}`
  const createdAt = `${new Date().toISOString().slice(0, 19)}Z`
  const debtor = { name: account.owner, iban, bic: account.bic }
  const xml = buildTransferFile({ id: messageId, createdAt, executionOn: on, debtor, transfers })
  // Finds what a bank would refuse before the file is downloaded.
  const [fault] = findPainErrors(xml)
  if (fault) throw new Error(`a file that no bank takes: ${fault}`)
  const content = new TextEncoder().encode(xml)
  const { id: fileId } = await storeFile(tx, store, companyId, {
    name: `${messageId}.xml`,
    mediaType: 'application/xml',
    content,
  })
  for (const { payout } of rows)
    await tx
      .update(payouts)
      .set({ status: 'filed', messageId, fileId, version: payout.version + 1 })
      .where(and(eq(payouts.companyId, companyId), eq(payouts.id, payout.id)))
  await recordPayoutsFiled(
    tx,
    companyId,
    { messageId, on },
    rows.map(({ payout }) => payout),
  )
  return { messageId, payouts: rows.length, amount: transfers.reduce((sum, { amount }) => sum + amount, 0) }
}

export async function loadPayoutFile(
  { db, files: store }: Omit<PayoutFileDeps, 'secrets'>,
  { companyId }: Actor,
  id: string,
) {
  const [row] = await db
    .select({ file: files })
    .from(payouts)
    .innerJoin(files, and(eq(files.companyId, payouts.companyId), eq(files.id, payouts.fileId)))
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))
  const content = row && (await store.get(getFileKey(row.file)))
  if (!row || !content) throw new AppError('not-found')
  return { name: row.file.name, content }
}
