import type { ConnectionTest, ConnectorField, Connector as Shown } from '@voisol/contract/connections'
import type { z } from 'zod'
import type { OutboundClient } from '../post/outside.ts'

export type ConnectorSettings = Record<string, string>
/** What a connector uses to reach other systems. */
export type ConnectorTools = {
  outside: OutboundClient
  /** The weather simulator that runs beside the demo; null where there is none. */
  weather: { local: string | null }
}
/** A connection with its secrets decrypted: its settings, and the host key that identifies its server. */
export type OpenedConnection = { settings: ConnectorSettings; hostKey: string }
/** A local file to send. */
export type OutgoingFile = { name: string; path: string; bytes: number; sha256: string; mediaType: string }

/**
 * A kind of system that a company can connect to: one file and one row of `table.ts`. `settings` validates what was
 * entered, `refusals` checks each host against the address guard, `test` connects and reports what it found.
 */
export type Connector = Omit<Shown, 'fields'> & {
  fields: ConnectorField[]
  settings: z.ZodType<ConnectorSettings, ConnectorSettings>
  /** Fields that decide where secrets are sent: when one changes, the secrets must be entered again. */
  whereTo: string[]
  refusals(tools: ConnectorTools, settings: ConnectorSettings): { field: string; message: string }[]
  /** `to` is the address of the person who runs the test. */
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
