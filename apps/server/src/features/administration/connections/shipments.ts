import type { Permission } from '@voisol/contract/permissions'
import { can } from '@voisol/contract/permissions'
import type { Connector, Parcel } from '../../../adapters/connections/connector.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { bookEntries, bookFec } from './ship-books.ts'
import { companyCopy, installationCopy } from './ship-copies.ts'
import { dataSetShipments } from './ship-data-sets.ts'

/** `skip` is told in the log in place of a file: why there is none. */
export type Packed = { parcel: Parcel } | { skip: string }
export type Packing = { deps: Deps; actor: Actor; folder: string; today: string }
/** Something that can be sent: what it takes to read it, and how it is packed. */
export type Shipment = {
  id: string
  label: string
  about: string
  permission: Permission
  pack(packing: Packing): AsyncIterable<Packed>
}

export const SHIPMENTS: readonly Shipment[] = [bookEntries, bookFec, companyCopy, installationCopy, ...dataSetShipments]

export const shipmentOf = (id: string) => SHIPMENTS.find((one) => one.id === id)

/** Those that somebody may have sent. */
export const offeredTo = (actor: Actor) => SHIPMENTS.filter(({ permission }) => can(actor, permission))

export function requireShipments(actor: Actor, connector: Connector, asked: string[]): string[] {
  if (!connector.can.includes('deliver')) return []
  const offered = offeredTo(actor).map(({ id }) => id)
  const unknown = asked.find((id) => !offered.includes(id))
  if (unknown !== undefined)
    throw fieldError('shipments', 'Vous ne pouvez pas faire envoyer ce que vous ne pouvez pas lire.')
  return [...new Set(asked)]
}
