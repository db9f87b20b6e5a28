import type { Fault } from '../../../adapters/enedis/faults.ts'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { tellReceived } from '../../energy/curves/curves.ts'
import { tellQuantities } from '../reconciliation/reconciliation.ts'
import type { BlockFault } from './block.ts'
import type { Brought } from './store-got.ts'
import type { Run } from './turn.ts'

/** What the administrators must know of a batch: a point that is no longer asked for, or credentials that are refused. */
export type Refusal = { pointId: string; fault: BlockFault & { since: string } } | { on: string; fault: Fault }

const wordsOf = ({ code, explanation, remedy }: Fault) => ({ code, explanation, remedy })

/** Tells of a batch once it is kept: the curves and quantities of each task, then what was refused. */
export async function tellKept(tx: Db, run: Run, brought: Map<string, Brought>, refusals: Refusal[]): Promise<void> {
  const { id: credentialId, companyId, version } = run.credential
  const by = { job: 'sync.run', secrets: run.deps.secrets }
  for (const [ref, { received, quantities }] of brought) {
    await tellReceived(tx, companyId, received, { source: 'sync', ref, by })
    await tellQuantities(tx, companyId, quantities, by)
  }
  for (const refusal of refusals)
    if ('pointId' in refusal) {
      const { pointId, fault } = refusal
      const data = { pointId, since: fault.since, retried: fault.retried ?? false, ...wordsOf(fault) }
      await record(tx, { companyId, name: 'point.blocked', object: pointId, data, by })
    } else {
      const data = { credentialId, version, on: refusal.on, ...wordsOf(refusal.fault) }
      const once = `${credentialId} ${version} ${refusal.on}`
      await record(tx, { companyId, name: 'credential.refused', object: credentialId, data, by, once })
    }
}
