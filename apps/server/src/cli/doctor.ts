import { access, constants, statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openDeps } from '../deps.ts'
import { measure } from '../features/administration/status/status.ts'
import { readiness } from '../http/checks.ts'
import { NO_PROXY_NAMED } from '../http/proxy.ts'
import { type Closers, openDatabaseUrls, readConfig } from '../open.ts'
import { StartupError } from '../startup-error.ts'
import { say } from './output.ts'

type Finding = { ok: boolean; text: string }

const LEAST_BYTES = 500_000_000
const explain = (error: unknown) => (error instanceof Error ? error.message : String(error))
const giga = (bytes: number) => `${new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 }).format(bytes / 1e9)} Go`

async function* disk(config: Config): AsyncGenerator<Finding> {
  const writable = await access(config.dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  yield {
    ok: writable,
    text: `Dossier de données ${config.dataDir} ${writable ? 'accessible' : 'protégé en écriture'}`,
  }
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = Number(bavail) * Number(bsize)
  yield { ok: free > LEAST_BYTES, text: `Espace libre\u00a0: ${giga(free)}` }
}

async function* database(config: Config, log: Logger, closers: Closers): AsyncGenerator<Finding> {
  const { url } = await openDatabaseUrls(config, closers)
  const { deps, close } = openDeps(config, url, log)
  closers.add(close)
  const kind = config.DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL embarqué'
  for (const { name, ok, reason } of await readiness(deps)) {
    const good = {
      database: `${kind} répond`,
      room: 'De la place sur les disques',
      writes: 'La base de données accepte les écritures',
      migrations: 'Base de données à jour',
      queue: 'File de tâches ouverte',
    }
    yield { ok, text: ok ? good[name] : reason }
  }
  const { queue, mail } = await measure(deps)
  if (queue === 'degraded')
    yield { ok: false, text: 'Des tâches attendent depuis plus de cinq minutes\u00a0: aucun ROLE=worker ne tourne.' }
  if (config.SMTP_URL)
    yield {
      ok: mail === 'operational',
      text: `Serveur d’e-mail ${mail === 'operational' ? 'joignable' : 'injoignable'}`,
    }
  else yield { ok: true, text: 'E-mail\u00a0: sans SMTP_URL, les messages restent dans le dossier de données' }
}

async function* findings(log: Logger, closers: Closers): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    yield { ok: false, text: error.message }
    return
  }
  yield { ok: true, text: `Configuration valable (${config.NODE_ENV})` }
  if (config.production && config.TRUST_PROXY === '') yield { ok: true, text: NO_PROXY_NAMED }
  yield* disk(config)
  try {
    yield* database(config, log, closers)
  } catch (error) {
    yield { ok: false, text: `Base de données\u00a0: ${explain(error)}` }
  }
}

/** False when something needs attention. Nothing is changed: the database is not migrated. */
export async function doctor(log: Logger, closers: Closers): Promise<boolean> {
  let failed = 0
  for await (const { ok, text } of findings(log, closers)) {
    say(`${ok ? '✓' : '✗'} ${text}`)
    if (!ok) failed++
  }
  say(failed ? '\nDes points demandent votre attention.' : '\nTout va bien.')
  return failed === 0
}
