import { type Connector, isSecret, type Settings, type Tools } from '../../../adapters/connections/connector.ts'
import { connectorOf } from '../../../adapters/connections/table.ts'
import { placeOfConnection } from '../../../core/connection-runs.ts'
import type { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'

export type Row = typeof connections.$inferSelect

export const toolsOf = ({ outside, weather }: Pick<Deps, 'outside' | 'weather'>): Tools => ({ outside, weather })

export function findConnector(kind: string): Connector {
  const found = connectorOf(kind)
  if (!found) throw fieldError('kind', 'Cette sorte de connexion n’existe pas.')
  return found
}

export const openSettings = ({ secrets }: Pick<Deps, 'secrets'>, row: Row): Settings =>
  JSON.parse(secrets.open(row.settings, placeOfConnection(row)))

/** Without what may not be shown again. */
export function shownOf({ fields }: Connector, settings: Settings) {
  const secret = fields.filter(isSecret).map(({ name }) => name)
  const open = Object.entries(settings).filter(([name]) => !secret.includes(name))
  return { settings: Object.fromEntries(open), held: secret.filter((name) => settings[name]) }
}

/** A secret that was left empty stays; it does not follow to another host, where it would be handed to somebody else. */
function withHeld({ fields, whereTo }: Connector, entered: Settings, held: Settings | undefined): Settings {
  const out = { ...entered }
  for (const { name } of held ? fields.filter(isSecret) : []) {
    if (out[name] || !held?.[name]) continue
    if (whereTo.some((where) => (entered[where] ?? '').trim() !== (held[where] ?? '')))
      throw fieldError(
        `settings.${name}`,
        'L’adresse ou l’utilisateur a changé\u00a0: saisissez à nouveau ce secret, il n’est pas envoyé ailleurs sans vous.',
      )
    out[name] = held[name]
  }
  return out
}

/** What was entered, read by the connector and held against the guard; each refusal on its field. */
export function readSettings(tools: Tools, connector: Connector, entered: Settings, held?: Settings): Settings {
  const parsed = connector.settings.safeParse(withHeld(connector, entered, held))
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: `settings.${path.join('.')}`, message }))
    throw new AppError('invalid', { issues, ...(issues[0] && { message: issues[0].message }) })
  }
  const [refusal] = connector.refusals(tools, parsed.data)
  if (refusal) throw fieldError(`settings.${refusal.field}`, refusal.message)
  return parsed.data
}
