import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, loadConfig } from './config.ts'
import { recordTableDistribution } from './db/citus.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { type Deps, openDeps } from './deps.ts'
import { registerSubscribers } from './events/deliver-events.ts'
import { subscribers } from './events/subscribers.ts'
import { createMailCatcher } from './integrations/mail/catcher.ts'
import { type DatabaseUrls, prepareDatabase } from './prepare-database.ts'
import { type StartStep, StartupError } from './startup.ts'
import { openTelemetry } from './telemetry/telemetry.ts'

type Closer = () => Promise<unknown> | unknown

/** Closes what was opened, once, in reverse order. */
export function createClosers() {
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const run = async () => {
    for (const close of closers.reverse()) await close()
  }
  return {
    add: (close: Closer) => void closers.push(close),
    close: () => {
      closing ??= run()
      return closing
    },
  }
}
export type Closers = ReturnType<typeof createClosers>

/** The environment, completed by the `.env` file of the current folder. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return loadConfig(process.env)
}

export async function openDatabaseUrls(config: Config, closers: Closers): Promise<DatabaseUrls> {
  if (config.DATABASE_URL)
    return { url: config.DATABASE_URL, ownerUrl: config.DATABASE_OWNER_URL, engine: config.DATABASE_ENGINE }
  const embedded = await startEmbeddedPostgres(join(config.dataDir, 'postgres'))
  closers.add(embedded.stop)
  return embedded
}

/** Without an SMTP server, messages are caught locally and shown at /dev/mail. */
export async function withMailCatcher(config: Config, closers: Closers): Promise<Config> {
  if (config.SMTP_URL) return config
  const catcher = await createMailCatcher(join(config.dataDir, 'mail'))
  closers.add(catcher.close)
  return { ...config, SMTP_URL: catcher.url }
}

/** How a start reports its progress to the terminal and waits for a slow database; a command does neither. */
type OpenInstallationOptions = { step?: StartStep; say?: (line: string) => void }

/** The migrated database and the services on it, for the server and the command line alike. */
export async function openInstallation(
  config: Config,
  log: Logger,
  closers: Closers,
  { step = (_, work) => work(), say = () => {} }: OpenInstallationOptions = {},
): Promise<{ deps: Deps; url: string; oneRole: boolean; sharedWith: number | undefined }> {
  const open = () => openDatabaseUrls(config, closers)
  // Parsing an address makes no query: as a step it would count as a database that answered.
  const urls = config.DATABASE_URL ? await open() : await step('démarrage de PostgreSQL', open)
  const { deps, close } = openDeps(config, urls.url, log, await openTelemetry(config, log))
  closers.add(close)
  const { oneRole } = await step('préparation de la base de données', () => prepareDatabase(deps.db, urls, say)).catch(
    throwDatabaseError,
  )
  await step('lecture de la base de données', async () => {
    await recordTableDistribution(deps.db, deps.aside)
    // Before this process records events, so that a new subscriber receives them.
    await registerSubscribers(deps.db, subscribers)
  })
  return { deps, url: urls.url, oneRole, sharedWith: urls.sharedWith }
}

function throwDatabaseError(error: Error): never {
  if (error instanceof StartupError) throw error
  const reason = error.cause instanceof Error ? error.cause.message || getCodeOrName(error.cause) : error.message
  throw new StartupError(
    `La base de données ne répond pas ou refuse la mise à jour\u00a0: ${reason || getCodeOrName(error)}`,
  )
}

const getCodeOrName = (error: Error) => ('code' in error ? String(error.code) : error.name)
