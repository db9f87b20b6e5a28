import { addDays, addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth, formatMonthWithDe } from '@voisol/file-formats/french'
import { and, eq, inArray } from 'drizzle-orm'
import type { OperationRow } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { billingMonths, invoices } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { issueDocuments, loadUnsentDocumentIds, sendDocuments } from '../invoices/index.ts'
import {
  checkInvoiceParties,
  findBillingMandateOn,
  findVatModeOn,
  type InvoiceParties,
  loadInvoiceParties,
  loadOperationTerms,
  needsMandate,
  toSnapshotSeller,
} from '../parties/index.ts'
import { getSettingsOn, loadSettingHistory, type SettingHistory } from '../settings/index.ts'
import { lockOperation } from './close-month.ts'
import { buildInvoiceDrafts, type InvoiceContext } from './invoice-drafts.ts'
import {
  type ClosedMonthRow,
  findClosedMonth,
  findClosedMonths,
  loadComputation,
  loadFirstComputations,
  type StoredComputation,
} from './stored-months.ts'

type IssueMonthInput = { operation: OperationRow; month: string; by: string; secrets: Secrets; on?: string | undefined }
type InvoiceContextInput = { operation: OperationRow; patrimonial: boolean; secrets: Secrets }

/** Numbers the documents of a closed month, once: a second call issues nothing. */
export async function issueMonth(tx: Db, { operation, month, by, secrets, on }: IssueMonthInput) {
  const { companyId, id: operationId } = operation
  await lockOperation(tx, companyId, operationId)
  const terms = await loadOperationTerms(tx, companyId, operationId)
  const rows = await loadMonthsOfInvoice(tx, operation, month, terms.monthsPerInvoice)
  // A month already invoiced alone is not invoiced again with the months joined later.
  const waiting = rows.filter(({ status }) => status === 'closed')
  const months = await loadFirstComputations(tx, companyId, waiting)
  const last = months.at(-1)
  if (!last) return { issued: 0, already: await countIssued(tx, rows.at(-1)) }
  const parties = await loadInvoiceParties(tx, companyId, listPartyIds(months))
  requireCompleteParties(parties, months, terms.patrimonial)
  const settingHistory = await loadSettingHistory(tx, companyId)
  const context = buildInvoiceContext(
    { operation, patrimonial: terms.patrimonial, secrets },
    months,
    parties,
    settingHistory,
  )
  const order = {
    companyId,
    operationId,
    computationId: last.id,
    issuedBy: by,
    drafts: buildInvoiceDrafts(context, months),
    on,
    loaded: { ...parties, settingHistory },
  }
  const { issued, already } = await issueDocuments(tx, secrets, order)
  await tx
    .update(billingMonths)
    .set({ status: 'issued', issuedAt: on ? new Date(`${on}T09:00:00Z`) : new Date(), issuedBy: by })
    .where(
      and(
        eq(billingMonths.companyId, companyId),
        inArray(
          billingMonths.id,
          waiting.map(({ id }) => id),
        ),
      ),
    )
  return { issued, already }
}

async function countIssued(tx: Db, row: ClosedMonthRow | undefined): Promise<number> {
  if (!row) throw new AppError('not-found')
  const { id } = await loadComputation(tx, row)
  return tx.$count(invoices, and(eq(invoices.companyId, row.companyId), eq(invoices.computationId, id)))
}

/** The months on one invoice: this one, or the 2, 3, 6 or 12 calendar months that it ends. All must be closed. */
async function loadMonthsOfInvoice(
  tx: Db,
  operation: OperationRow,
  month: string,
  count: number,
): Promise<ClosedMonthRow[]> {
  const place = Number(month.slice(5)) - 1
  const first = addMonths(`${month}-01`, -(place % count))
  const end = addMonths(first, count - 1).slice(0, 7)
  if (month !== end)
    throw new AppError('conflict', {
      message: `Cette opération est facturée tous les ${count} mois\u00a0: les documents ${formatMonthWithDe(`${month}-01`)} s’émettent avec ${formatFrenchMonth(`${end}-01`)}.`,
    })
  const days = Array.from({ length: count }, (_, at) => addMonths(first, at))
  const closed = await findClosedMonths(tx, operation.companyId, operation.id, days)
  const rows: ClosedMonthRow[] = []
  for (const day of days) {
    const row = closed.get(day)
    if (row) rows.push(row)
    else if (day.slice(0, 7) === month || operation.startsOn === null || addMonths(day, 1) > operation.startsOn)
      throw new AppError('conflict', {
        message: `Le mois ${formatMonthWithDe(day)} n’est pas clos\u00a0: clôturez-le d’abord.`,
      })
  }
  return rows
}

const listPartyIds = (months: StoredComputation[]) => {
  const documents = months.flatMap(({ outcome }) => outcome.documents)
  return {
    sellerIds: [...new Set(documents.map(({ seller }) => seller))],
    buyerIds: [...new Set(documents.map(({ buyer }) => buyer))],
  }
}

/** A billing mandate or an address may have ended since the close: nothing is issued until it is fixed. */
function requireCompleteParties(parties: InvoiceParties, months: StoredComputation[], patrimonial: boolean) {
  const found = checkInvoiceParties(parties, { day: getLastDay(months) }).filter(
    ({ level, code }) => level === 'error' && !(patrimonial && code === 'seller-mandate'),
  )
  if (found.length)
    throw new AppError('invalid', {
      message: `Rien ne peut être émis\u00a0: ${found.map(({ sentence }) => sentence).join(' ')}`,
      issues: found.map(({ code, sentence }) => ({ path: code, message: sentence })),
    })
}

const getLastDay = (months: StoredComputation[]) => addDays(addMonths(`${months.at(-1)?.input.month}-01`, 1), -1)

/** Sellers, buyers and legal mentions as documents issued today print them. */
export async function loadInvoiceContext(
  tx: Db,
  companyId: number,
  input: InvoiceContextInput,
  months: StoredComputation[],
): Promise<InvoiceContext> {
  const parties = await loadInvoiceParties(tx, companyId, listPartyIds(months))
  return buildInvoiceContext(input, months, parties, await loadSettingHistory(tx, companyId))
}

function buildInvoiceContext(
  input: InvoiceContextInput,
  months: StoredComputation[],
  parties: InvoiceParties,
  settingHistory: SettingHistory,
): InvoiceContext {
  const { operation, patrimonial } = input
  return {
    operation,
    patrimonial,
    settings: getSettingsOn(settingHistory, getToday()),
    sellers: buildPrintedSellers(input, parties, getLastDay(months)),
    buyers: new Map([...parties.buyers].map(([id, { groupId: _, acciseClass: __, ...buyer }]) => [id, buyer])),
  }
}

/** Each seller as it is on the last day supplied, and the mandate that allows the invoice today. */
function buildPrintedSellers({ operation, secrets }: InvoiceContextInput, parties: InvoiceParties, lastDay: string) {
  const printed: InvoiceContext['sellers'] = new Map()
  for (const row of parties.sellers) {
    const mandate = needsMandate(row, parties.companySiren)
      ? findBillingMandateOn(parties, row.id, getToday())
      : undefined
    printed.set(row.id, {
      seller: toSnapshotSeller(secrets, row, findVatModeOn(row, lastDay) ?? 'outside'),
      mandate: mandate
        ? { id: mandate.id, by: operation.pmoName || parties.companyName, signedOn: mandate.signedOn }
        : null,
    })
  }
  return printed
}

type SendMonthInput = { operation: OperationRow; month: string; by: string; platform: boolean }

/**
 * Sends the issued documents of a month that are not sent yet, corrections included: a second call sends nothing twice.
 */
export async function sendMonthDocuments(tx: Db, { operation, month, by, platform }: SendMonthInput) {
  const { companyId, id: operationId } = operation
  await lockOperation(tx, companyId, operationId)
  const row = await findClosedMonth(tx, companyId, operationId, month)
  if (row?.status !== 'issued')
    throw new AppError('conflict', {
      message: `Les documents ${formatMonthWithDe(`${month}-01`)} ne sont pas émis\u00a0: émettez-les avant de les envoyer.`,
    })
  const ids = await loadUnsentDocumentIds(tx, companyId, operationId, month)
  return sendDocuments(tx, { companyId, ids, by, platform })
}
