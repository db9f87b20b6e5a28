import { api } from '@voisol/contract'
import type { DocTab } from '@voisol/contract/api-docs'
import type { Endpoint } from '@voisol/contract/endpoint'

/** The documented endpoints by tab, in display order. */
export const DOCUMENTED_CALLS = {
  authentication: { auth: ['login', 'refresh', 'me', 'logout'] },
  operations: { operations: ['list', 'create', 'get', 'move'], participants: ['list'] },
  energy: { energy: ['production', 'consumption', 'summary', 'series'], ownFeed: ['figures'] },
  webhooks: { webhooks: ['list', 'create', 'test', 'deliveries', 'remove'] },
} as const satisfies Record<DocTab, Partial<Record<keyof typeof api, readonly string[]>>>

type DocumentedCalls = typeof DOCUMENTED_CALLS
type CallIds<T> = { [F in keyof T & string]: T[F] extends readonly string[] ? `${F}.${T[F][number]}` : never }[keyof T &
  string]
export type DocumentedCallId = { [T in DocTab]: CallIds<DocumentedCalls[T]> }[DocTab]

export type DocumentedEndpoint = { id: DocumentedCallId; tab: DocTab; endpoint: Endpoint }

const requireEndpoint = (feature: string, name: string) => {
  const found = (api as Record<string, Record<string, Endpoint>>)[feature]?.[name] // names from the table above
  if (!found) throw new Error(`${feature}.${name} is not in the contract`)
  return found
}

export const documentedEndpoints: DocumentedEndpoint[] = Object.entries(DOCUMENTED_CALLS).flatMap(([tab, features]) =>
  Object.entries(features).flatMap(([feature, names]) =>
    (names as readonly string[]).map((name) => ({
      id: `${feature}.${name}` as DocumentedCallId, // both names come from the table above
      tab: tab as DocTab, // Object.entries() widens the key type to string
      endpoint: requireEndpoint(feature, name),
    })),
  ),
)
