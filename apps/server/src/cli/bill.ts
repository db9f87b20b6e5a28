import type { MonthCheck } from '@voisol/contract/billing'
import type { OperationRow } from '../core/operation.ts'
import { transaction } from '../db/client.ts'
import { snapshot } from '../db/snapshot.ts'
import type { Deps } from '../deps.ts'
import { checkOpen, closeNow, computeNow, findMonth, issueNow, type Wanted } from '../features/money/billing/billing.ts'
import { appendAudit } from '../http/audit.ts'
import { AppError } from '../http/errors.ts'
import { findOperation } from './allocate.ts'
import { say, UsageError } from './output.ts'

export type BillOptions = { close?: boolean | undefined; issue?: boolean | undefined; reason?: string | undefined }

const BY = 'ligne de commande'
const MARKS = { ok: ' ', warning: '!', blocking: '✗' } as const
const euros = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' })
const kwh = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 3 })

const asUsage = (error: unknown) => {
  throw error instanceof AppError ? new UsageError(error.message, { cause: error }) : error
}

function tell(operation: OperationRow, { items, totals }: MonthCheck, month: string) {
  say(`Mois ${month} de «\u00a0${operation.name}\u00a0»`)
  for (const { level, sentence } of items) say(`  ${MARKS[level]} ${sentence}`)
  if (totals)
    say(
      `  ${totals.documents} documents, ${kwh.format(totals.wh / 1000)} kWh, ${euros.format(totals.net / 100)} HT, ${euros.format(totals.gross / 100)} TTC`,
    )
}

const audited = (operation: OperationRow, label: string, target: string) => ({
  companyId: operation.companyId,
  userId: null,
  actor: BY,
  action: 'voisol bill',
  outcome: 'done' as const,
  label,
  target,
  requestId: '',
  ip: '',
  detail: { operationId: operation.id },
})

async function close(deps: Deps, operation: OperationRow, wanted: Wanted, reason: string) {
  const closing = { computing: deps, aside: deps.aside, operation, wanted, by: BY, reason }
  await transaction(deps.db, async (tx) => {
    await closeNow(tx, closing)
    const target = `${operation.name}, ${wanted.month}${reason && `, clos malgré des réserves\u00a0: ${reason}`}`
    await appendAudit(tx, deps.secrets, audited(operation, 'Clôturer un mois', target))
  }).catch(asUsage)
  say('  Mois clos.')
}

async function issue(deps: Deps, operation: OperationRow, month: string) {
  const { issued, already } = await transaction(deps.db, async (tx) => {
    const made = await issueNow(tx, { operation, month, by: BY, secrets: deps.secrets })
    const label = 'Émettre les documents d’un mois clos'
    await appendAudit(tx, deps.secrets, audited(operation, label, `${operation.name}, ${month}`))
    return made
  }).catch(asUsage)
  say(`  ${issued} documents émis, ${already} l’étaient déjà.`)
}

/** Checks a month, and on demand closes and issues it: what the screen does. */
export async function bill(deps: Deps, [name = '', month = '']: string[], options: BillOptions): Promise<boolean> {
  if (!name || !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError(
      'Écrivez\u00a0: voisol bill <opération> <mois AAAA-MM> [--close] [--reason <raison>] [--issue].',
    )
  const reason = options.reason?.trim() ?? ''
  if (reason && reason.length < 10) throw new UsageError('La raison compte 10 caractères au moins.')
  const operation = await findOperation(deps, name)
  const wanted = { companyId: operation.companyId, operationId: operation.id, month }
  const closed = await findMonth(deps.db, wanted.companyId, wanted.operationId, month)
  if (closed) say(`Mois ${month} de «\u00a0${operation.name}\u00a0», clos par ${closed.closedBy}`)
  else {
    const check = await snapshot(deps.db, async (view) =>
      checkOpen(view, operation, wanted, await computeNow(deps, view, wanted)),
    )
    tell(operation, check, month)
    if (options.close) await close(deps, operation, wanted, reason)
    else if (!options.issue) return check.canClose
  }
  if (options.issue) await issue(deps, operation, month)
  return true
}
