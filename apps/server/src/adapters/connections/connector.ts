import type { ConnectionTest, ConnectorField, Connector as Shown } from '@voisol/contract/connections'
import type { z } from 'zod'
import type { OutboundClient } from '../post/outside.ts'

export type ConnectorSettings = Record<string, string>
/** What a connector reaches the world with. */
export type ConnectorTools = {
  outside: OutboundClient
  /** The weather stand-in that runs beside the demo; null where there is none. */
  weather: { local: string | null }
}
/** A connection that was opened: what was entered, and the key by which its server is known. */
export type OpenedConnection = { settings: ConnectorSettings; hostKey: string }
/** A file of this machine that is to be sent. */
export type OutgoingFile = { name: string; path: string; bytes: number; sha256: string; mediaType: string }

/**
 * A kind of system that a company can be connected to: one file and one row of `table.ts`. `settings` reads what was
 * entered, `refusals` holds each host against the guard, `test` goes there and says what it found.
 */
export type Connector = Omit<Shown, 'fields'> & {
  fields: ConnectorField[]
  settings: z.ZodType<ConnectorSettings, ConnectorSettings>
  /** The fields that say where secrets are sent: where one changes, secrets are asked for again. */
  whereTo: string[]
  refusals(tools: ConnectorTools, settings: ConnectorSettings): { field: string; message: string }[]
  /** `to` is the address of whoever tries it. */
  test(tools: ConnectorTools, opened: OpenedConnection, to: string): Promise<Omit<ConnectionTest, 'ok'>>
  deliver?(tools: ConnectorTools, opened: OpenedConnection, parcel: OutgoingFile): Promise<void>
}

type ConnectorFieldInput = Pick<ConnectorField, 'name' | 'label'> & Partial<ConnectorField>
export const defineConnectorField = (draft: ConnectorFieldInput): ConnectorField => ({
  hint: '',
  type: 'text',
  options: [],
  optional: false,
  initial: '',
  ...draft,
})
export const isSecretField = ({ type }: ConnectorField) => type === 'secret' || type === 'long-secret'
