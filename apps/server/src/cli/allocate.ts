import { isDay } from '@voisol/energy/calendar'
import { eq, or, sql } from 'drizzle-orm'
import { transaction } from '../db/client.ts'
import { operations } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import {
  executeRun,
  findAllocationRun,
  insertRunWithoutQueue,
  loadRunShortfall,
} from '../features/energy/allocation/index.ts'
import { appendAudit } from '../http/audit.ts'
import { AppError } from '../http/errors.ts'
import { printLine, UsageError } from './output.ts'

/** By id, or by its number at the distributor. */
export async function requireOperationByIdOrNumber({ db }: Deps, name: string) {
  const found = await db
    .select()
    .from(operations)
    .where(or(sql`${operations.id}::text = ${name.toLowerCase()}`, eq(operations.accNumber, name.toUpperCase())))
  const [operation] = found
  if (!operation) throw new UsageError(`Aucune opération n’a l’identifiant ou le numéro ${name}.`)
  if (found.length > 1)
    throw new UsageError(`Plusieurs organisations ont l’opération ${name} : donnez son identifiant.`)
  return operation
}

const number = new Intl.NumberFormat('fr-FR')
const formatKwh = (wattMinutes: number) => `${number.format(Math.round(wattMinutes / 60_000))} kWh`.padStart(16)

/** Computes the provisional allocation of an operation in this process. */
export async function runAllocateCommand(deps: Deps, [name = '', from = '', to = '']: string[]): Promise<boolean> {
  if (!name || !isDay(from) || !isDay(to))
    throw new UsageError('Écrivez\u00a0: voisol allocate <opération> <premier jour> <jour qui suit le dernier>.')
  const { companyId, id: operationId, name: title } = await requireOperationByIdOrNumber(deps, name)
  const runInput = { companyId, operationId, from, to, kind: 'provisional', estimated: false } as const
  const run = await transaction(deps.db, async (tx) => {
    await appendAudit(tx, deps.secrets, {
      companyId,
      userId: null,
      actor: 'ligne de commande',
      action: 'voisol allocate',
      outcome: 'done',
      label: 'Lancer un calcul de répartition',
      target: `${title}, ${from} – ${to}`,
      requestId: '',
      ip: '',
      detail: { operationId },
    })
    return insertRunWithoutQueue(tx, runInput)
  }).catch((error) => {
    throw error instanceof AppError ? new UsageError(error.message, { cause: error }) : error
  })
  // The error is stored in the run, in French.
  await executeRun(deps, { companyId, runId: run.id }).catch(() => {})
  const done = await findAllocationRun(deps.db, companyId, run.id)
  if (done?.status !== 'done') throw new Error(done?.message ?? 'le calcul a disparu')
  const { produced = 0, allocated = 0, surplus = 0 } = done.totals as Record<string, number> // written by the run
  const { excluded = 0, steps = 0, defaulted = 0 } = done.counts as Record<string, number> // as above
  printLine(`Répartition provisoire de «\u00a0${title}\u00a0» du ${from} au ${to} (jour non compris)`)
  printLine(
    `  Production ${formatKwh(produced)}\n  Affecté    ${formatKwh(allocated)}\n  Surplus    ${formatKwh(surplus)}`,
  )
  printLine(`  Pas écartés ${number.format(excluded)} sur ${number.format(steps)}`)
  if (defaulted) printLine(`  Pas sans coefficient, à la règle par défaut ${number.format(defaulted)}`)
  for (const lack of await loadRunShortfall(deps.db, done)) printLine(`  ${lack}`)
  printLine(`  Empreinte   ${done.resultHash}`)
  return true
}
