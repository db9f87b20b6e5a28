import { createServer } from 'node:net'
import { energy } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { enforceSubscriptions } from './core/plan.ts'
import { isBehindPooler, POOLER_ADVICE } from './db/connection-pool.ts'
import { printStartMessage, seedDemo } from './db/seed/demo.ts'
import type { Deps } from './deps.ts'
import { NO_BACKUP_KEY_MESSAGE } from './features/admin/backups/index.ts'
import { loadFirstAdmin } from './features/admin/demo/index.ts'
import { loadEnergySummary } from './features/analytics/energy/index.ts'
import { startSupportMailServer } from './features/portal/support/index.ts'
import { addFirstContent } from './features/site/content/index.ts'
import { warnIfNoticeIncomplete } from './features/site/legal/index.ts'
import { NO_TRUSTED_PROXY } from './http/client-address.ts'
import { createLogger } from './http/logging.ts'
import { enqueue, openQueue, startWorkers, stopQueue } from './jobs/queue.ts'
import { jobs } from './jobs/registry.ts'
import { createClosers, openInstallation, readConfig, withMailCatcher } from './open.ts'
import { SINGLE_ROLE_WARNING } from './prepare-database.ts'
import { restrictDataFolder, restrictEntries, restrictNewFiles } from './private-files.ts'
import { requireSameFiles } from './shared-file-store.ts'
import {
  type SimulatorProcess,
  startEnedisSimulator,
  startPaymentSimulator,
  startWeatherSimulator,
} from './simulator-process.ts'
import { createStartSteps, StartupError } from './startup.ts'
import { getToday } from './today.ts'
import { RELEASE } from './version.ts'

/**
 * Loads the figures of one operation after the start: the first user then finds open connections, prepared plans and
 * compiled code. Optional.
 */
async function warmUp({ db, config, log }: Deps): Promise<void> {
  try {
    const { rows } = await db.execute<{ id: string; companyId: number }>(sql`
      select o.id, o.company_id as "companyId" from operations o
       where o.status = 'active' order by o.created_at limit 1`)
    const [operation] = rows
    if (!operation) return
    const actor = await loadFirstAdmin(db, operation.companyId)
    const to = monthOf(getToday())
    const query = energy.summary.query.parse({ operationId: operation.id, from: addMonths(to, -1), to })
    energy.summary.response.parse(await loadEnergySummary(db, actor, config, query))
  } catch (err) {
    log.debug({ err }, 'warm')
  }
}

/** A longer request is aborted: the whole shutdown stays within 30 s. */
const REQUESTS_TIMEOUT_MS = 7000
const STOP_DEADLINE_MS = 29_000

const log = createLogger('info')
const closers = createClosers()
let app: FastifyInstance | undefined
/** How long a load balancer has to read the 503 of /readyz before connections are refused. */
let drainMs = 0
let sandbox: SimulatorProcess | undefined
let paymentSandbox: SimulatorProcess | undefined
let weatherSandbox: SimulatorProcess | undefined

const READABLE_FILES_WARNING =
  'Des fichiers du dossier de données restent lisibles par d’autres comptes de la machine\u00a0: donnez-les au compte qui lance Voisol (chown), ou fermez-les (chmod).'

const formatSharedFolderMessage = (folder: string, pid: number) =>
  `  Un autre Voisol (processus ${pid}) tourne déjà sur ${folder}\u00a0: les deux partagent sa base, ses fichiers et ses tâches.\n` +
  '  Si ce n’est pas voulu, arrêtez l’un des deux, ou donnez à celui-ci un autre dossier avec DATA_DIR.'

async function start() {
  restrictNewFiles()
  const config = await withMailCatcher(readConfig(), closers)
  log.level = config.LOG_LEVEL
  log.info({ release: RELEASE, node: process.version, role: config.ROLE }, 'start')
  drainMs = config.DRAIN_MS
  await requireFreePort(config)
  const open = restrictDataFolder(config.dataDir)
  if (open.length) log.warn({ paths: open.slice(0, 5), variable: 'DATA_DIR' }, READABLE_FILES_WARNING)
  const step = createStartSteps()
  const { deps, url, oneRole, sharedWith } = await openInstallation(config, log, closers, { step, say: console.log })
  if (sharedWith) console.log(formatSharedFolderMessage(config.dataDir, sharedWith))
  if (oneRole) log.warn({ variable: 'DATABASE_OWNER_URL' }, SINGLE_ROLE_WARNING)
  const pooled = () => step('examen de l’accès à la base', () => isBehindPooler(url)).catch(() => false)
  if (config.DATABASE_POOLER === 'none' && (await pooled())) log.warn({ variable: 'DATABASE_POOLER' }, POOLER_ADVICE)
  if (config.production && config.TRUST_PROXY === '') log.warn({ variable: 'TRUST_PROXY' }, NO_TRUSTED_PROXY)
  if (!config.backupKey) log.warn({ variable: 'BACKUP_KEY' }, NO_BACKUP_KEY_MESSAGE)
  closers.add(await step('examen des fichiers', () => requireSameFiles(deps, log)))
  // Stopped after the jobs that call them.
  closers.add(() => Promise.all([sandbox?.stop(), paymentSandbox?.stop(), weatherSandbox?.stop()]).then(() => {}))
  const works = config.ROLE !== 'web'
  const queue = await step('ouverture de la file de tâches', () => openQueue(deps, url, jobs, works))
  closers.add(() => stopQueue(queue))
  await step('préparation des données', async () => {
    if (config.demo) await seedDemo(deps, (tx) => enqueue(tx, 'demo.fill', {}, { once: 'seed' }))
    await enforceSubscriptions(deps.db, config.subscriptions)
    await addFirstContent(deps.db, config)
  })
  const reception = config.ROLE === 'worker' ? undefined : await startSupportMailServer(deps)
  if (reception) closers.add(reception.close)
  await step('lecture des mentions légales', () => warnIfNoticeIncomplete(deps))
  const server = await step('préparation des pages', () => buildApp(deps))
  closers.add(() => closeServer(server))
  app = server
  const address = await server.listen({ host: config.HOST, port: config.PORT }).catch(explainListen(config))
  printStartMessage(config, address, oneRole ? SINGLE_ROLE_WARNING : undefined)
  if (works) await step('mise au travail', () => startWorkers(queue, deps))
  if (config.demo && !config.ENEDIS_SANDBOX_URL && !stopping) sandbox = startEnedisSimulator(deps)
  if (config.demo && !config.PAYMENT_SANDBOX_URL && !stopping) paymentSandbox = startPaymentSimulator(deps)
  if (config.demo && !config.WEATHER_SANDBOX_URL && !stopping) weatherSandbox = startWeatherSimulator(deps)
  await warmUp(deps)
  const closed = await restrictEntries(config.dataDir).catch(() => 0)
  if (closed) log.info({ closed }, 'files of an earlier version are closed to other accounts')
}

async function closeServer(server: FastifyInstance) {
  const cut = setTimeout(() => server.server.closeAllConnections(), REQUESTS_TIMEOUT_MS)
  await server.close()
  clearTimeout(cut)
}

/** Checked before the database is prepared, which may take a minute; a later conflict is reported by `listen`. */
async function requireFreePort(config: Config) {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host: config.HOST, port: config.PORT }, resolve)
  }).catch(explainListen(config))
  await new Promise((resolve) => probe.close(resolve))
}

const explainListen = (config: Config) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    throw new StartupError(`Le port ${config.PORT} est déjà utilisé\u00a0: choisissez-en un autre avec PORT=…`)
  if (error.code && ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(error.code))
    throw new StartupError(`Impossible d’écouter sur ${config.HOST}:${config.PORT} (${error.code}).`)
  throw error
}

let stopping: Promise<void> | undefined
/** A signal may arrive twice, from the terminal and from a wrapper: both wait for the same shutdown. */
const stopOnce = (signal: NodeJS.Signals) => {
  stopping ??= stop(signal)
  return stopping
}

async function stop(signal: NodeJS.Signals) {
  // Aborted work is safe: a job runs again, a transaction is rolled back.
  setTimeout(() => process.exit(0), STOP_DEADLINE_MS).unref()
  if (app) app.life.stopping = true
  if (app && signal === 'SIGTERM') await new Promise((resolve) => setTimeout(resolve, drainMs))
  await closers.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () =>
    stopOnce(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stop')
        process.exit(1)
      },
    ),
  )

try {
  await start()
} catch (error) {
  // A signal during the start closes what the start still waits for.
  if (!stopping) {
    if (error instanceof StartupError) console.error(`\n${error.message}\n`)
    else log.fatal({ err: error }, 'start')
    await closers.close().catch(() => {})
    process.exit(1)
  }
}
