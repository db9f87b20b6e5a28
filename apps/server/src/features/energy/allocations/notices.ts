import { and, eq, inArray } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { notify } from '../../people/notifications/notifications.ts'
import type { DoneRun } from './runs.ts'

const periodOf = ({ startsOn, endsOn }: { startsOn: string; endsOn: string }) => {
  const last = Temporal.PlainDate.from(endsOn).subtract({ days: 1 }).toString()
  return `du ${frenchDay(startsOn)} au ${frenchDay(last)}`
}
const number = new Intl.NumberFormat('fr-FR')
const action = (operationId: string) => ({
  label: 'Voir la répartition',
  url: `/acc-operations/${operationId}/energy-distribution`,
})

/** Provisional figures come and go; those that bills will rest on are announced. */
export async function tellDone(tx: Db, deps: Deps, run: DoneRun, operation: string) {
  if (run.kind !== 'definitive') return
  const { excluded, steps } = run.counts
  const left =
    excluded === 0
      ? 'Tous les pas de temps ont été répartis.'
      : `${number.format(excluded)} pas de temps sur ${number.format(steps)} n’ont pas pu être répartis, faute de données.`
  await notify(tx, deps, {
    companyId: run.companyId,
    to: 'admins',
    category: 'operations',
    type: excluded === 0 ? 'success' : 'warning',
    priority: 'normal',
    title: `Répartition définitive calculée : ${operation}`,
    message: `La répartition ${periodOf(run)} est calculée. ${left}`,
    action: action(run.operationId),
    key: `allocation-done ${run.id}`,
  })
}

export const tellStale = (deps: Deps, companyId: number, runIds: string[]) =>
  transaction(deps.db, async (tx) => {
    const rows = await tx
      .select()
      .from(allocationRuns)
      .innerJoin(
        operations,
        and(eq(operations.companyId, allocationRuns.companyId), eq(operations.id, allocationRuns.operationId)),
      )
      .where(and(eq(allocationRuns.companyId, companyId), inArray(allocationRuns.id, runIds)))
      .orderBy(allocationRuns.id)
    for (const { allocation_runs: run, operations: operation } of rows)
      await notify(tx, deps, {
        companyId,
        to: 'admins',
        category: 'operations',
        type: 'warning',
        priority: 'high',
        title: `Répartition définitive à refaire : ${operation.name}`,
        message: `La répartition ${periodOf(run)} n’est plus à jour. ${run.staleReason} Un nouveau calcul montrera l’écart.`,
        action: action(run.operationId),
        key: `allocation-stale ${run.id}`,
      })
  })
