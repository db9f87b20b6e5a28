import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { DATABASE_CORRUPTED, isCorruptionError, RESTORE_ADVICE } from '../../db/database-errors.ts'
import { requireKnownMigrations } from '../../db/migrate.ts'
import { type Deps, openDeps } from '../../deps.ts'
import { NO_TRUSTED_PROXY } from '../../http/client-address.ts'
import { checkReadiness } from '../../http/health.ts'
import { type Closers, openDatabaseUrls, readConfig } from '../../open.ts'
import { StartupError } from '../../startup.ts'
import { RELEASE } from '../../version.ts'
import { printLine } from '../output.ts'
import { checkBloat, checkDamage, checkIndexes, checkJobs } from './check-database.ts'
import { checkClock, checkDatabaseSize, checkDisk, checkHostNames, checkMail } from './check-environment.ts'
import { checkCopies, checkInvoices, checkKeys, checkStoredFiles } from './check-stored-data.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  getErrorMessage,
} from './finding.ts'

const REMEDIES = {
  room: '',
  database: 'Vérifiez DATABASE_URL et que PostgreSQL tourne.',
  writes:
    'Donnez à DATABASE_URL le serveur principal\u00a0: celui-ci n’est qu’une copie, ou a été mis en lecture seule.',
  migrations: 'Lancez «\u00a0voisol migrate\u00a0» avec DATABASE_OWNER_URL.',
  queue: 'Lancez «\u00a0voisol migrate\u00a0», qui fait aussi les tables de la file.',
}

async function checkReady(deps: Deps): Promise<DoctorFinding[]> {
  const kind = deps.config.DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL embarqué'
  const okTexts = {
    room: 'De la place sur les disques',
    database: `${kind} répond`,
    writes: 'La base de données accepte les écritures',
    migrations: 'Base de données à jour',
    queue: 'File de tâches ouverte',
  }
  return (await checkReadiness(deps)).map(({ name, ok, reason }) =>
    ok ? createOkFinding(name, okTexts[name]) : createFaultFinding(name, reason, REMEDIES[name]),
  )
}

/** Checks that query the database: they are independent, and one that fails says so. */
const DATABASE_CHECKS: Record<string, (deps: Deps) => Promise<DoctorFinding[]>> = {
  indexes: ({ db }) => checkIndexes(db),
  bloat: ({ db }) => checkBloat(db),
  jobs: ({ db }) => checkJobs(db),
  clock: ({ db, config }) => checkClock(db, config.PUBLIC_URL),
  database: ({ db, config }) => checkDatabaseSize(db, !config.DATABASE_URL),
  files: ({ db, config, files }) => checkStoredFiles(files, db, config),
  copies: ({ db, config }) => checkCopies(db, config),
  keys: ({ db }) => checkKeys(db),
  invoices: (deps) => checkInvoices(deps),
  damage: ({ db }) => checkDamage(db),
}

/** A process of an earlier version may still be running, but would not start again. */
const checkNotNewer = (deps: Deps): Promise<DoctorFinding[]> =>
  requireKnownMigrations(deps.db).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof StartupError)) throw error
      const [text = '', remedy = ''] = error.message.split('\n')
      return [createFaultFinding('migrations', text, remedy)]
    },
  )

export async function examineDatabase(deps: Deps): Promise<DoctorFinding[]> {
  const able = await checkReady(deps)
  const ready = able.every(({ level }) => level === 'ok') ? [...able, ...(await checkNotNewer(deps))] : able
  if (ready.some(({ level }) => level === 'fault')) return ready
  const found = Object.entries(DATABASE_CHECKS).map(([check, work]) =>
    work(deps).catch((error: unknown) => [
      isCorruptionError(error)
        ? createFaultFinding(check, `${DATABASE_CORRUPTED}\u00a0: ${getErrorMessage(error)}`, RESTORE_ADVICE)
        : createFaultFinding(
            check,
            `Contrôle impossible\u00a0: ${getErrorMessage(error)}`,
            'Lancez «\u00a0voisol migrate\u00a0», puis recommencez.',
          ),
    ]),
  )
  return [...ready, ...(await Promise.all(found)).flat()]
}

async function openAndExamineDatabase(
  config: Config,
  log: Logger,
  closers: Closers,
): Promise<{ found: DoctorFinding[]; deps?: Deps }> {
  try {
    const { url } = await openDatabaseUrls(config, closers)
    const { deps, close } = openDeps(config, url, log)
    closers.add(close)
    return { found: await examineDatabase(deps), deps }
  } catch (error) {
    return {
      found: [createFaultFinding('database', `Base de données\u00a0: ${getErrorMessage(error)}`, REMEDIES.database)],
    }
  }
}

async function collectFindings(log: Logger, closers: Closers): Promise<DoctorFinding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [
      createOkFinding('version', `Voisol ${RELEASE}`),
      createFaultFinding('config', error.message, 'Corrigez ces variables\u00a0; .env.example les montre toutes.'),
    ]
  }
  const proxy = config.production && config.TRUST_PROXY === ''
  const { found, deps } = await openAndExamineDatabase(config, log, closers)
  const ready = deps && found.every(({ check, level }) => check !== 'migrations' || level === 'ok')
  return [
    createOkFinding('version', `Voisol ${RELEASE}`),
    createOkFinding('config', `Configuration valable (${config.NODE_ENV})`),
    ...(proxy ? [createWarningFinding('config', 'Aucun relais nommé', NO_TRUSTED_PROXY)] : []),
    ...(await checkDisk(config)),
    ...found,
    ...(await checkHostNames(config, ready ? deps.db : undefined)),
    ...(await checkMail(config.SMTP_URL)),
  ]
}

const LEVEL_SIGNS = { ok: '✓', warning: '!', fault: '✗' }
const formatFinding = ({ level, text, remedy }: DoctorFinding) =>
  `${LEVEL_SIGNS[level]} ${text}${remedy ? `\n    → ${remedy}` : ''}`

/** As text, or as JSON. */
export function formatReport(found: DoctorFinding[], json: boolean): { ok: boolean; text: string } {
  const has = (level: DoctorFinding['level']) => found.some((one) => one.level === level)
  const ok = !has('fault')
  if (json) return { ok, text: JSON.stringify({ ok, findings: found }, null, 2) }
  const well = has('warning') ? 'Rien n’est en panne\u00a0; des points sont à prévoir.' : 'Tout va bien.'
  return { ok, text: [...found.map(formatFinding), '', ok ? well : 'Des points demandent votre attention.'].join('\n') }
}

/** False when something is broken. Read-only: the database is not migrated. */
export async function runDoctorCommand(log: Logger, closers: Closers, json: boolean): Promise<boolean> {
  const { ok, text } = formatReport(await collectFindings(log, closers), json)
  printLine(text)
  return ok
}
