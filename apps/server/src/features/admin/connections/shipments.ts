import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { DATA_SET_IDS, DATA_SETS } from '@voisol/contract/data-sets'
import { hasPermission } from '@voisol/contract/permissions'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import type { JobRequester } from '../../../http/job-actor.ts'
import type { Connector } from '../../../integrations/connections/connector.ts'
import { exportCompany, getCopyContentKey, getCopyManifestKey, listCopies, openCopyStore } from '../backups/index.ts'
import {
  FEED_TYPES,
  getPlanPermission,
  getPlanRequester,
  listPlansOfConnection,
  makePlanFile,
  streamDataSetFile,
} from '../exports/index.ts'
import type { ConnectionRow } from './connection-settings.ts'
import { writeOutgoingFile } from './deliver-file.ts'
import { bookEntriesShipment, fecShipment, getNextMonth, getPreviousMonth, type Shipment } from './ship-books.ts'

/** The data sets of the BI feed, as files. */
const dataSetShipments: Shipment[] = DATA_SET_IDS.map((dataSet) => {
  const { label, period, permission } = DATA_SETS[dataSet]
  return {
    id: `data-${dataSet}`,
    label: `${label} (Parquet)`,
    about: period ? 'Ceux du mois passé.' : 'Tels qu’ils sont aujourd’hui.',
    permission,
    async *pack({ deps, actor, folder, today }) {
      const month = getPreviousMonth(today)
      const days = { from: period ? `${month}-01` : null, to: period ? `${getNextMonth(month)}-01` : null }
      const shape = { format: 'parquet' as const, dialect: 'french' as const }
      const order = { dataSet, operationId: null, participantId: null, ...days, ...shape }
      const name = period ? `${dataSet}-${month}.parquet` : `${dataSet}.parquet`
      yield { parcel: await writeOutgoingFile(folder, name, FEED_TYPES.parquet, streamDataSetFile(deps, actor, order)) }
    },
  }
})

const companyCopyShipment: Shipment = {
  id: 'company-copy',
  label: 'Copie de l’organisation',
  about: 'Tout ce qui est à votre organisation, dans une archive que tout programme ouvre.',
  permission: 'backups.write',
  async *pack({ deps, actor, folder, today }) {
    const path = join(folder, 'copie.zip')
    await exportCompany(deps, actor.companyId, path)
    const name = `voisol-organisation-${today}.zip`
    yield { parcel: await writeOutgoingFile(folder, name, 'application/zip', createReadStream(path)) }
  },
}

/** The backup is already encrypted: whoever stores it cannot read it. */
const installationCopyShipment: Shipment = {
  id: 'installation-copy',
  label: 'Dernière copie de l’installation',
  about: 'La copie chiffrée la plus récente de toute l’installation, et sa fiche.',
  permission: 'installation.write',
  async *pack({ deps, folder }) {
    const place = openCopyStore(deps.config)
    const [newest] = await listCopies(place)
    if (!newest) {
      yield { skip: 'Aucune copie de l’installation n’a encore été faite.' }
      return
    }
    const { name } = newest.manifest
    for (const [key, file, type] of [
      [getCopyContentKey(name), `${name}.voisol`, 'application/octet-stream'],
      // The manifest is sent last: a backup that has one is complete.
      [getCopyManifestKey(name), `${name}.json`, 'application/json'],
    ] as const) {
      const content = await place.stream(key)
      if (content) yield { parcel: await writeOutgoingFile(folder, file, type, content) }
    }
  },
}

const SHIPMENTS: readonly Shipment[] = [
  bookEntriesShipment,
  fecShipment,
  companyCopyShipment,
  installationCopyShipment,
  ...dataSetShipments,
]

export const findShipment = (id: string) => SHIPMENTS.find((one) => one.id === id)

/** The shipments that a user has the permissions for. */
export const listAllowedShipments = (actor: Actor) =>
  SHIPMENTS.filter(({ permission }) => hasPermission(actor, permission))

export function requireAllowedShipments(actor: Actor, connector: Connector, requested: string[]): string[] {
  if (!connector.can.includes('deliver')) return []
  const offered = listAllowedShipments(actor).map(({ id }) => id)
  const unknown = requested.find((id) => !offered.includes(id))
  if (unknown !== undefined)
    throw fieldError('shipments', 'Vous ne pouvez pas faire envoyer ce que vous ne pouvez pas lire.')
  return [...new Set(requested)]
}

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
