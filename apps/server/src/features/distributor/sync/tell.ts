import type { DistributorFault } from '../../../adapters/enedis/faults.ts'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { recordCurvesReceived } from '../../energy/curves/curves.ts'
import { recordNewQuantities } from '../reconciliation/reconciliation.ts'
import type { BlockFault } from './block.ts'
import type { BatchResult } from './store-got.ts'
import type { SyncRun } from './turn.ts'

/** What administrators are notified of: a blocked point, or refused credentials. */
export type Refusal =
  | { pointId: string; fault: BlockFault & { since: string } }
  | { on: string; fault: DistributorFault }

const toEventFields = ({ code, explanation, remedy }: DistributorFault) => ({ code, explanation, remedy })

/** Records the events of a stored batch: the curves and quantities of each task, then the refusals. */
export async function recordBatchEvents(
  tx: Db,
  run: SyncRun,
  brought: Map<string, BatchResult>,
  refusals: Refusal[],
): Promise<void> {
  const { id: credentialId, companyId, version } = run.credential
  const by = { job: 'sync.run', secrets: run.deps.secrets }
  for (const [ref, { received, quantities }] of brought) {
    await recordCurvesReceived(tx, companyId, received, { source: 'sync', ref, by })
    await recordNewQuantities(tx, companyId, quantities, by)
  }
  for (const refusal of refusals)
    if ('pointId' in refusal) {
      const { pointId, fault } = refusal
      const data = { pointId, since: fault.since, retried: fault.retried ?? false, ...toEventFields(fault) }
      await recordEvent(tx, { companyId, name: 'point.blocked', object: pointId, data, by })
    } else {
      const data = { credentialId, version, on: refusal.on, ...toEventFields(refusal.fault) }
      const once = `${credentialId} ${version} ${refusal.on}`
      await recordEvent(tx, { companyId, name: 'credential.refused', object: credentialId, data, by, once })
    }
}
