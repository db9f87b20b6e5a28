import { api } from '@voisol/contract'
import type { DocTab } from '@voisol/contract/api-docs'
import type { Endpoint } from '@voisol/contract/endpoint'

/** What the documentation shows, tab by tab, in its order. */
export const SHOWN = {
  authentication: { auth: ['login', 'refresh', 'me', 'logout'] },
  operations: { operations: ['list', 'create', 'get', 'move'], participants: ['list'] },
  energy: { energy: ['production', 'consumption', 'summary', 'series'], ownFeed: ['figures'] },
  webhooks: { webhooks: ['list', 'create', 'test', 'deliveries', 'remove'] },
} as const satisfies Record<DocTab, Partial<Record<keyof typeof api, readonly string[]>>>

type Shown = typeof SHOWN
type IdsOf<T> = { [F in keyof T & string]: T[F] extends readonly string[] ? `${F}.${T[F][number]}` : never }[keyof T &
  string]
export type ShownId = { [T in DocTab]: IdsOf<Shown[T]> }[DocTab]

export type ShownEndpoint = { id: ShownId; tab: DocTab; endpoint: Endpoint }

const endpointOf = (feature: string, name: string) => {
  const found = (api as Record<string, Record<string, Endpoint>>)[feature]?.[name] // by names from the table above
  if (!found) throw new Error(`${feature}.${name} is not in the contract`)
  return found
}

export const shownEndpoints: ShownEndpoint[] = Object.entries(SHOWN).flatMap(([tab, features]) =>
  Object.entries(features).flatMap(([feature, names]) =>
    (names as readonly string[]).map((name) => ({
      id: `${feature}.${name}` as ShownId, // built from the table
      tab: tab as DocTab, // entries() forgets the key type
      endpoint: endpointOf(feature, name),
    })),
  ),
)
