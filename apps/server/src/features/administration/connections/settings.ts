import {
  type Connector,
  type ConnectorSettings,
  type ConnectorTools,
  isSecretField,
} from '../../../adapters/connections/connector.ts'
import { findConnectorOfKind } from '../../../adapters/connections/table.ts'
import { getConnectionSealContext } from '../../../core/connection-runs.ts'
import type { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'

export type ConnectionRow = typeof connections.$inferSelect

export const toConnectorTools = ({ outside, weather }: Pick<Deps, 'outside' | 'weather'>): ConnectorTools => ({
  outside,
  weather,
})

export function requireConnector(kind: string): Connector {
  const found = findConnectorOfKind(kind)
  if (!found) throw fieldError('kind', 'Cette sorte de connexion n’existe pas.')
  return found
}

export const decryptSettings = ({ secrets }: Pick<Deps, 'secrets'>, row: ConnectionRow): ConnectorSettings =>
  JSON.parse(secrets.open(row.settings, getConnectionSealContext(row)))

/** Removes the fields that must not be shown again. */
export function hideSecrets({ fields }: Connector, settings: ConnectorSettings) {
  const secret = fields.filter(isSecretField).map(({ name }) => name)
  const open = Object.entries(settings).filter(([name]) => !secret.includes(name))
  return { settings: Object.fromEntries(open), held: secret.filter((name) => settings[name]) }
}

/**
 * A secret left empty keeps its stored value, unless the host changed: it would otherwise be sent to another server.
 */
function keepStoredSecrets(
  { fields, whereTo }: Connector,
  entered: ConnectorSettings,
  storedSettings: ConnectorSettings | undefined,
): ConnectorSettings {
  const out = { ...entered }
  for (const { name } of storedSettings ? fields.filter(isSecretField) : []) {
    if (out[name] || !storedSettings?.[name]) continue
    if (whereTo.some((where) => (entered[where] ?? '').trim() !== (storedSettings[where] ?? '')))
      throw fieldError(
        `settings.${name}`,
        'L’adresse ou l’utilisateur a changé\u00a0: saisissez à nouveau ce secret, il n’est pas envoyé ailleurs sans vous.',
      )
    out[name] = storedSettings[name]
  }
  return out
}

/**
 * Parses the entered settings with the connector and checks the address against the SSRF guard; each refusal names its
 * field.
 */
export function parseSettings(
  tools: ConnectorTools,
  connector: Connector,
  entered: ConnectorSettings,
  storedSettings?: ConnectorSettings,
): ConnectorSettings {
  const parsed = connector.settings.safeParse(keepStoredSecrets(connector, entered, storedSettings))
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: `settings.${path.join('.')}`, message }))
    throw new AppError('invalid', { issues, ...(issues[0] && { message: issues[0].message }) })
  }
  const [refusal] = connector.refusals(tools, parsed.data)
  if (refusal) throw fieldError(`settings.${refusal.field}`, refusal.message)
  return parsed.data
}
