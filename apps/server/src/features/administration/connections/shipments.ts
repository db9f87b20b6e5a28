import type { Permission } from '@voisol/contract/permissions'
import { hasPermission } from '@voisol/contract/permissions'
import type { Connector, OutgoingFile } from '../../../adapters/connections/connector.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { bookEntriesShipment, fecShipment } from './ship-books.ts'
import { companyCopyShipment, installationCopyShipment } from './ship-copies.ts'
import { dataSetShipments } from './ship-data-sets.ts'

/** `skip` is the reason, for the log, why there is no file. */
export type PackResult = { parcel: OutgoingFile } | { skip: string }
export type PackContext = { deps: Deps; actor: Actor; folder: string; today: string }
/** Something that can be sent: the permissions needed to read it, and how its file is built. */
export type Shipment = {
  id: string
  label: string
  about: string
  permission: Permission
  pack(packing: PackContext): AsyncIterable<PackResult>
}

export const SHIPMENTS: readonly Shipment[] = [
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
