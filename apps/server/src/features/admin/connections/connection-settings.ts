import type { Schedule } from '@voisol/contract/connections'
import { getConnectionSealContext } from '../../../core/connection-runs.ts'
import type { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import {
  type Connector,
  type ConnectorSettings,
  type ConnectorTools,
  isSecretField,
} from '../../../integrations/connections/connector.ts'
import { findConnectorOfKind } from '../../../integrations/connections/connectors.ts'

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

const HOUR_MS = 3_600_000
const PARIS = 'Europe/Paris'
/** At night, after the backups of the installation. */
const NIGHT_HOUR = 3

/** Spreads the runs of all companies over the hour: each connection has its own minute. */
const getMinuteOfHour = (id: string) => Number.parseInt(id.slice(0, 4), 16) % 60

function findNextNight(id: string, now: Date, suits: (day: Temporal.PlainDate) => boolean): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(PARIS)
  const time = { hour: NIGHT_HOUR, minute: getMinuteOfHour(id) }
  for (let day = here.toPlainDate(); ; day = day.add({ days: 1 })) {
    const at = day.toZonedDateTime({ timeZone: PARIS, plainTime: Temporal.PlainTime.from(time) })
    if (suits(day) && at.epochMilliseconds > now.getTime()) return new Date(at.epochMilliseconds)
  }
}

/** Time of the next scheduled run; undefined when the connection runs on demand. */
export function getNextConnectionRun(schedule: Schedule, id: string, now: Date): Date | null {
  if (schedule === 'none') return null
  if (schedule === 'six-hours') {
    const slot = 6 * HOUR_MS
    return new Date((Math.floor(now.getTime() / slot) + 1) * slot + getMinuteOfHour(id) * 60_000)
  }
  if (schedule === 'night') return findNextNight(id, now, () => true)
  if (schedule === 'week') return findNextNight(id, now, ({ dayOfWeek }) => dayOfWeek === 1)
  return findNextNight(id, now, ({ day }) => day === 1)
}
