import type { MonthCheck } from '@voisol/contract/billing'
import type { OperationRow } from '../core/access-scopes.ts'
import { readSnapshot, transaction } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import {
  checkOpenMonth,
  closeMonth,
  computeMonth,
  findClosedMonth,
  issueMonth,
  type MonthRequest,
} from '../features/billing/month-closing/index.ts'
import { appendAudit } from '../http/audit.ts'
import { AppError } from '../http/errors.ts'
import { requireOperationByIdOrNumber } from './allocate.ts'
import { printLine, UsageError } from './output.ts'

export type BillOptions = { close?: boolean | undefined; issue?: boolean | undefined; reason?: string | undefined }

const COMMAND_LINE_ACTOR = 'ligne de commande'
const LEVEL_MARKS = { ok: ' ', warning: '!', blocking: '✗' } as const
const euros = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' })
const kwh = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 3 })

const throwUsageError = (error: unknown) => {
  throw error instanceof AppError ? new UsageError(error.message, { cause: error }) : error
}

function printMonthCheck(operation: OperationRow, { items, totals }: MonthCheck, month: string) {
  printLine(`Mois ${month} de «\u00a0${operation.name}\u00a0»`)
  for (const { level, sentence } of items) printLine(`  ${LEVEL_MARKS[level]} ${sentence}`)
  if (totals)
    printLine(
      `  ${totals.documents} documents, ${kwh.format(totals.wh / 1000)} kWh, ${euros.format(totals.net / 100)} HT, ${euros.format(totals.gross / 100)} TTC`,
    )
}

const buildAuditRecord = (operation: OperationRow, label: string, target: string) => ({
  companyId: operation.companyId,
  userId: null,
  actor: COMMAND_LINE_ACTOR,
  action: 'voisol bill',
  outcome: 'done' as const,
  label,
  target,
  requestId: '',
  ip: '',
  detail: { operationId: operation.id },
})

async function closeCheckedMonth(deps: Deps, operation: OperationRow, wanted: MonthRequest, reason: string) {
  const closing = { computing: deps, aside: deps.aside, operation, wanted, by: COMMAND_LINE_ACTOR, reason }
  await transaction(deps.db, async (tx) => {
    await closeMonth(tx, closing)
    const target = `${operation.name}, ${wanted.month}${reason && `, clos malgré des réserves\u00a0: ${reason}`}`
    await appendAudit(tx, deps.secrets, buildAuditRecord(operation, 'Clôturer un mois', target))
  }).catch(throwUsageError)
  printLine('  Mois clos.')
}

async function issueClosedMonth(deps: Deps, operation: OperationRow, month: string) {
  const { issued, already } = await transaction(deps.db, async (tx) => {
    const made = await issueMonth(tx, { operation, month, by: COMMAND_LINE_ACTOR, secrets: deps.secrets })
    const label = 'Émettre les documents d’un mois clos'
    await appendAudit(tx, deps.secrets, buildAuditRecord(operation, label, `${operation.name}, ${month}`))
    return made
  }).catch(throwUsageError)
  printLine(`  ${issued} documents émis, ${already} l’étaient déjà.`)
}

/** Checks a month, and with options closes and issues it, as the screen does. */
export async function runBillCommand(
  deps: Deps,
  [name = '', month = '']: string[],
  options: BillOptions,
): Promise<boolean> {
  if (!name || !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError(
      'Écrivez\u00a0: voisol bill <opération> <mois AAAA-MM> [--close] [--reason <raison>] [--issue].',
    )
  const reason = options.reason?.trim() ?? ''
  if (reason && reason.length < 10) throw new UsageError('La raison compte 10 caractères au moins.')
  const operation = await requireOperationByIdOrNumber(deps, name)
  const request = { companyId: operation.companyId, operationId: operation.id, month }
  const closed = await findClosedMonth(deps.db, request.companyId, request.operationId, month)
  if (closed) printLine(`Mois ${month} de «\u00a0${operation.name}\u00a0», clos par ${closed.closedBy}`)
  else {
    const check = await readSnapshot(deps.db, async (view) =>
      checkOpenMonth(view, operation, request, await computeMonth(deps, view, request)),
    )
    printMonthCheck(operation, check, month)
    if (options.close) await closeCheckedMonth(deps, operation, request, reason)
    else if (!options.issue) return check.canClose
  }
  if (options.issue) await issueClosedMonth(deps, operation, month)
  return true
}
