import { createReadStream } from 'node:fs'
import type { Deps } from '../../../deps.ts'
import type { JobRequester } from '../../../http/job-actor.ts'
import { getPlanPermission, getPlanRequester, listPlansOfConnection, makePlanFile } from '../exports/exports.ts'
import { writeOutgoingFile } from './draft.ts'
import type { ConnectionRow } from './settings.ts'
import type { Shipment } from './shipments.ts'

/** The exports planned for this connection, each with the permissions of whoever planned it. */
export async function listPlannedShipments(
  { db }: Deps,
  row: ConnectionRow,
): Promise<{ shipment: Shipment; asker: JobRequester }[]> {
  const plans = await listPlansOfConnection(db, row.companyId, row.id)
  return plans.map((plan) => ({
    asker: getPlanRequester(plan),
    shipment: {
      id: plan.id,
      label: plan.name,
      about: '',
      permission: getPlanPermission(plan),
      async *pack({ deps, actor, folder, today }) {
        const { name, type, path } = await makePlanFile(deps, actor, plan, folder, today)
        yield { parcel: await writeOutgoingFile(folder, name, type, createReadStream(path)) }
      },
    },
  }))
}
