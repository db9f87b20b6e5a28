import { createReadStream } from 'node:fs'
import { DATA_SETS } from '@voisol/contract/data-sets'
import type { Deps } from '../../../deps.ts'
import { makeFile, orderOf, plansOf } from '../exports/exports.ts'
import { draft } from './draft.ts'
import type { Row } from './settings.ts'
import type { Shipment } from './shipments.ts'

/** What people planned to have sent by a connection, each in the name of whoever did. */
export async function plannedShipments({ db }: Deps, row: Row): Promise<{ shipment: Shipment; userId: string }[]> {
  const plans = await plansOf(db, row.companyId, row.id)
  return plans.map((plan) => ({
    userId: plan.makerId,
    shipment: {
      id: plan.id,
      label: plan.name,
      about: '',
      permission: DATA_SETS[orderOf(plan, plan.createdAt.toISOString().slice(0, 10)).dataSet].permission,
      async *pack({ deps, actor, folder, today }) {
        const { name, type, path } = await makeFile(deps, actor, plan, folder, today)
        yield { parcel: await draft(folder, name, type, createReadStream(path)) }
      },
    },
  }))
}
