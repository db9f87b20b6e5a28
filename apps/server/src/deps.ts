import { join, resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Config } from './config.ts'
import { type Db, openDatabase } from './db/client.ts'
import {
  createDiskSpaceMonitor,
  createSlowDiskDetector,
  type DiskSpaceMonitor,
  type SlowDiskDetector,
} from './disk-monitor.ts'
import type { Actor } from './http/actor.ts'
import { createCallLimiter } from './http/concurrency-limit.ts'
import type { Caller } from './http/gateway/call-meter.ts'
import { type EnedisHosts, getEnedisHosts } from './integrations/enedis/call-templates.ts'
import { createEnedisTokenCache, type EnedisTokenCache } from './integrations/enedis/enedis-exchange.ts'
import { createFolderStore, type FileStore } from './integrations/files/files.ts'
import { createS3Store } from './integrations/files/s3.ts'
import { createFolderInbox, type Inbox } from './integrations/inbox/inbox.ts'
import { type Mailer, openMailer } from './integrations/mail/mail.ts'
import { getPaymentHosts, type PaymentHosts } from './integrations/payments/payment-provider.ts'
import { createFolderPlatform, type InvoicingPlatform } from './integrations/platform/invoicing-platform.ts'
import { createOutboundClient, type OutboundClient } from './integrations/post/outbound-client.ts'
import { createPoster, type Poster } from './integrations/post/post.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { Telemetry } from './telemetry/export.ts'
import { createSlowQueryLog } from './telemetry/slow-log.ts'
import { observeStatements } from './telemetry/statements.ts'
import { type ComputeTasks, openComputePool } from './workers/open.ts'

/** What the process has opened, handed to every feature. */
export type Deps = {
  config: Config
  db: Db
  /**
   * Connections for what must stand even if the call is refused: counted attempts, refusals in the audit log.
   * They are apart from the pool, because a pool full of open transactions would otherwise wait for itself.
   */
  aside: Db
  secrets: Secrets
  files: FileStore
  /** Whether there is room on the disks. */
  room: DiskSpaceMonitor
  disk: SlowDiskDetector
  mailer: Mailer
  poster: Poster
  /** What is asked of providers that a company named: their settings, keys and tokens, and the records of a domain. */
  outside: OutboundClient
  /** Through which invoices reach companies; none where none is configured. */
  platform: InvoicingPlatform | undefined
  enedis: { hosts: EnedisHosts; quotas: boolean; tokens: EnedisTokenCache }
  payments: { hosts: PaymentHosts }
  /** The weather stand-in that runs beside the demo; null where there is none. */
  weather: { local: string | null }
  /** Where statements of banks are left, if anywhere. */
  statements: Inbox | undefined
  /** Something heavy, in a thread beside the server: `compute(task, input, { companyId })`. */
  compute: ComputeTasks
  /** The line a call stands in, behind others of its company. */
  gates: ReturnType<typeof createCallLimiter>
  /** Where traces and metrics are told; nowhere unless the operator named a collector. */
  telemetry: Telemetry | undefined
  log: FastifyBaseLogger
}

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
  }
  interface FastifyRequest {
    actor: Actor | undefined
    /** Who called, known also where the call is refused: what the gateway counts by. */
    caller: Caller | undefined
    /** Gives up the call's turn, until its handler has taken that over. */
    leave: (() => void) | undefined
  }
}

const ASIDE_POOL_SIZE = 4
/** As many bytes as an upload may have. */
const BANK_FILE_OPTIONS = { part: 'releves', most: 20_000_000, wanted: /\.(xml|csv|txt|xlsx)$/i }

export function openDeps(config: Config, databaseUrl: string, log: FastifyBaseLogger, telemetry?: Telemetry) {
  const disk = createSlowDiskDetector()
  const listeners = [
    disk.hear,
    ...createSlowQueryLog(log, config.SLOW_QUERY_MS),
    ...(telemetry ? [telemetry.statement] : []),
  ]
  const opening = {
    pooler: config.DATABASE_POOLER,
    watch: (pool: Pool) => observeStatements(pool, listeners),
  }
  const db = openDatabase(databaseUrl, config.DATABASE_POOL, opening)
  const aside = openDatabase(databaseUrl, ASIDE_POOL_SIZE, opening)
  const mailer = openMailer(config.SMTP_URL ?? '', config.MAIL_FROM)
  const bucket = createS3Store(config)
  const files = bucket ?? createFolderStore(join(config.dataDir, 'files'))
  // Neither the database nor a file is on a disk of this machine.
  const elsewhere = bucket && config.DATABASE_URL
  const room = createDiskSpaceMonitor({ dataDir: elsewhere ? undefined : config.dataDir, db: aside, files })
  const pool = openComputePool({ threads: config.COMPUTE_THREADS, memoryMb: config.COMPUTE_MEMORY_MB })
  const deps: Deps = {
    config,
    db,
    aside,
    secrets: createSecrets(config.secretKey, config.formerKeys),
    files,
    room,
    disk,
    mailer,
    platform: config.INVOICE_PLATFORM_FOLDER
      ? createFolderPlatform(resolve(config.INVOICE_PLATFORM_FOLDER))
      : undefined,
    statements: config.BANK_FOLDER ? createFolderInbox(resolve(config.BANK_FOLDER), BANK_FILE_OPTIONS) : undefined,
    poster: createPoster({ ports: config.WEBHOOK_PORTS }),
    outside: createOutboundClient({ ports: config.WEBHOOK_PORTS }),
    enedis: { hosts: getEnedisHosts(config), quotas: config.ENEDIS_QUOTAS === 'on', tokens: createEnedisTokenCache() },
    payments: { hosts: getPaymentHosts(config) },
    weather: { local: config.production ? null : (config.WEATHER_SANDBOX_URL ?? null) },
    compute: pool.compute,
    gates: createCallLimiter(config.DATABASE_POOL),
    telemetry,
    log,
  }
  const close = async () => {
    mailer.close()
    await pool.close()
    await Promise.all([db.$client.end(), aside.$client.end()])
    await telemetry?.close()
  }
  return { deps, close }
}
