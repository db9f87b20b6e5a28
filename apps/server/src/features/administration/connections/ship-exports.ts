import { createReadStream } from 'node:fs'
import type { Deps } from '../../../deps.ts'
import type { Asker } from '../../../http/job-actor.ts'
import { askerOf, makeFile, permissionOf, plansOf } from '../exports/exports.ts'
import { draft } from './draft.ts'
import type { Row } from './settings.ts'
import type { Shipment } from './shipments.ts'

/** What people planned to have sent by a connection, each in the name of whoever did. */
export async function plannedShipments({ db }: Deps, row: Row): Promise<{ shipment: Shipment; asker: Asker }[]> {
  const plans = await plansOf(db, row.companyId, row.id)
  return plans.map((plan) => ({
    asker: askerOf(plan),
    shipment: {
      id: plan.id,
      label: plan.name,
      about: '',
      permission: permissionOf(plan),
      async *pack({ deps, actor, folder, today }) {
        const { name, type, path } = await makeFile(deps, actor, plan, folder, today)
        yield { parcel: await draft(folder, name, type, createReadStream(path)) }
      },
    },
  }))
}
