import { join, resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { type EnedisHosts, hostsOf } from './adapters/enedis/hosts.ts'
import { createTokens, type Tokens } from './adapters/enedis/tokens.ts'
import type { FileStore } from './adapters/files/files.ts'
import { folderStore } from './adapters/files/folder.ts'
import { s3Store } from './adapters/files/s3.ts'
import { folderInbox, type Inbox } from './adapters/inbox/inbox.ts'
import { type Mailer, openMailer } from './adapters/mail/mail.ts'
import { type PaymentHosts, paymentHostsOf } from './adapters/payments/hosts.ts'
import { folderPlatform } from './adapters/platform/folder.ts'
import type { Platform } from './adapters/platform/platform.ts'
import { type Outside, openOutside } from './adapters/post/outside.ts'
import { openPoster, type Poster } from './adapters/post/post.ts'
import { type ComputeTasks, openTasks } from './compute/open.ts'
import type { Config } from './config.ts'
import { type Db, openDatabase } from './db/client.ts'
import type { Actor } from './http/actor.ts'
import { openGates } from './http/gate.ts'
import type { Caller } from './http/gateway/meter.ts'
import { openRoom, type Room } from './room.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { openSlowDisk, type SlowDisk } from './slow-disk.ts'
import type { Telemetry } from './telemetry/export.ts'
import { slowLog } from './telemetry/slow-log.ts'
import { watchStatements } from './telemetry/statements.ts'

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
  room: Room
  disk: SlowDisk
  mailer: Mailer
  poster: Poster
  /** What is asked of providers that a company named: their settings, keys and tokens, and the records of a domain. */
  outside: Outside
  /** Through which invoices reach companies; none where none is configured. */
  platform: Platform | undefined
  enedis: { hosts: EnedisHosts; quotas: boolean; tokens: Tokens }
  payments: { hosts: PaymentHosts }
  /** The weather stand-in that runs beside the demo; null where there is none. */
  weather: { local: string | null }
  /** Where statements of banks are left, if anywhere. */
  statements: Inbox | undefined
  /** Something heavy, in a thread beside the server: `compute(task, input, { companyId })`. */
  compute: ComputeTasks
  /** The line a call stands in, behind others of its company. */
  gates: ReturnType<typeof openGates>
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

const ASIDE = 4
/** As many bytes as an upload may have. */
const BANK_FILES = { part: 'releves', most: 20_000_000, wanted: /\.(xml|csv|txt|xlsx)$/i }

export function openDeps(config: Config, databaseUrl: string, log: FastifyBaseLogger, telemetry?: Telemetry) {
  const disk = openSlowDisk()
  const listeners = [disk.hear, ...slowLog(log, config.SLOW_QUERY_MS), ...(telemetry ? [telemetry.statement] : [])]
  const opening = {
    pooler: config.DATABASE_POOLER,
    watch: (pool: Pool) => watchStatements(pool, listeners),
  }
  const db = openDatabase(databaseUrl, config.DATABASE_POOL, opening)
  const aside = openDatabase(databaseUrl, ASIDE, opening)
  const mailer = openMailer(config.SMTP_URL ?? '', config.MAIL_FROM)
  const bucket = s3Store(config)
  const files = bucket ?? folderStore(join(config.dataDir, 'files'))
  // Neither the database nor a file is on a disk of this machine.
  const elsewhere = bucket && config.DATABASE_URL
  const room = openRoom({ dataDir: elsewhere ? undefined : config.dataDir, db: aside, files })
  const pool = openTasks({ threads: config.COMPUTE_THREADS, memoryMb: config.COMPUTE_MEMORY_MB })
  const deps: Deps = {
    config,
    db,
    aside,
    secrets: createSecrets(config.secretKey, config.formerKeys),
    files,
    room,
    disk,
    mailer,
    platform: config.INVOICE_PLATFORM_FOLDER ? folderPlatform(resolve(config.INVOICE_PLATFORM_FOLDER)) : undefined,
    statements: config.BANK_FOLDER ? folderInbox(resolve(config.BANK_FOLDER), BANK_FILES) : undefined,
    poster: openPoster({ ports: config.WEBHOOK_PORTS }),
    outside: openOutside({ ports: config.WEBHOOK_PORTS }),
    enedis: { hosts: hostsOf(config), quotas: config.ENEDIS_QUOTAS === 'on', tokens: createTokens() },
    payments: { hosts: paymentHostsOf(config) },
    weather: { local: config.production ? null : (config.WEATHER_SANDBOX_URL ?? null) },
    compute: pool.compute,
    gates: openGates(config.DATABASE_POOL),
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
