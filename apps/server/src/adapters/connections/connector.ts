import type { ConnectorField, Connector as Shown, Tested } from '@voisol/contract/connections'
import type { z } from 'zod'
import type { Outside } from '../post/outside.ts'

export type Settings = Record<string, string>
/** What a connector reaches the world with. */
export type Tools = {
  outside: Outside
  /** The weather stand-in that runs beside the demo; null where there is none. */
  weather: { local: string | null }
}
/** A connection that was opened: what was entered, and the key by which its server is known. */
export type Opened = { settings: Settings; hostKey: string }
/** A file of this machine that is to be sent. */
export type Parcel = { name: string; path: string; bytes: number; sha256: string; mediaType: string }

/**
 * A kind of system that a company can be connected to: one file and one row of `table.ts`. `settings` reads what was
 * entered, `refusals` holds each host against the guard, `test` goes there and says what it found.
 */
export type Connector = Omit<Shown, 'fields'> & {
  fields: ConnectorField[]
  settings: z.ZodType<Settings, Settings>
  /** The fields that say where secrets are sent: where one changes, secrets are asked for again. */
  whereTo: string[]
  refusals(tools: Tools, settings: Settings): { field: string; message: string }[]
  /** `to` is the address of whoever tries it. */
  test(tools: Tools, opened: Opened, to: string): Promise<Omit<Tested, 'ok'>>
  deliver?(tools: Tools, opened: Opened, parcel: Parcel): Promise<void>
}

type Draft = Pick<ConnectorField, 'name' | 'label'> & Partial<ConnectorField>
export const field = (draft: Draft): ConnectorField => ({
  hint: '',
  type: 'text',
  options: [],
  optional: false,
  initial: '',
  ...draft,
})
export const isSecret = ({ type }: ConnectorField) => type === 'secret' || type === 'long-secret'
