import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { DAMAGED, isDamaged, RESTORE } from '../../db/damaged.ts'
import { requireKnownMigrations } from '../../db/migrate.ts'
import { type Deps, openDeps } from '../../deps.ts'
import { readiness } from '../../http/checks.ts'
import { NO_PROXY_NAMED } from '../../http/proxy.ts'
import { type Closers, openDatabaseUrls, readConfig } from '../../open.ts'
import { StartupError } from '../../startup-error.ts'
import { RELEASE } from '../../version.ts'
import { say } from '../output.ts'
import { checkBloat } from './bloat.ts'
import { checkClock } from './clock.ts'
import { checkCopies } from './copies.ts'
import { checkDamage } from './damage.ts'
import { checkDatabaseSize, checkDisk } from './disk.ts'
import { explain, type Finding, fault, good, warning } from './finding.ts'
import { checkIndexes } from './indexes.ts'
import { checkInvoices } from './invoices.ts'
import { checkKeys } from './keys.ts'
import { checkJobs } from './late-jobs.ts'
import { checkMail } from './mail-server.ts'
import { checkNames } from './names.ts'
import { checkFiles } from './stored-files.ts'

const REMEDIES = {
  room: '',
  database: 'Vérifiez DATABASE_URL et que PostgreSQL tourne.',
  writes:
    'Donnez à DATABASE_URL le serveur principal\u00a0: celui-ci n’est qu’une copie, ou a été mis en lecture seule.',
  migrations: 'Lancez «\u00a0voisol migrate\u00a0» avec DATABASE_OWNER_URL.',
  queue: 'Lancez «\u00a0voisol migrate\u00a0», qui fait aussi les tables de la file.',
}

async function checkReady(deps: Deps): Promise<Finding[]> {
  const kind = deps.config.DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL embarqué'
  const told = {
    room: 'De la place sur les disques',
    database: `${kind} répond`,
    writes: 'La base de données accepte les écritures',
    migrations: 'Base de données à jour',
    queue: 'File de tâches ouverte',
  }
  return (await readiness(deps)).map(({ name, ok, reason }) =>
    ok ? good(name, told[name]) : fault(name, reason, REMEDIES[name]),
  )
}

/** What asks the database: each stands for itself, and one that cannot be made says so. */
const ON_DATABASE: Record<string, (deps: Deps) => Promise<Finding[]>> = {
  indexes: ({ db }) => checkIndexes(db),
  bloat: ({ db }) => checkBloat(db),
  jobs: ({ db }) => checkJobs(db),
  clock: ({ db, config }) => checkClock(db, config.PUBLIC_URL),
  database: ({ db, config }) => checkDatabaseSize(db, !config.DATABASE_URL),
  files: ({ db, config, files }) => checkFiles(files, db, config),
  copies: ({ db, config }) => checkCopies(db, config),
  keys: ({ db }) => checkKeys(db),
  invoices: (deps) => checkInvoices(deps),
  damage: ({ db }) => checkDamage(db),
}

/** A process of an earlier version may still serve it, but would not start again. */
const checkNotNewer = (deps: Deps): Promise<Finding[]> =>
  requireKnownMigrations(deps.db).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof StartupError)) throw error
      const [text = '', remedy = ''] = error.message.split('\n')
      return [fault('migrations', text, remedy)]
    },
  )

export async function examine(deps: Deps): Promise<Finding[]> {
  const able = await checkReady(deps)
  const ready = able.every(({ level }) => level === 'ok') ? [...able, ...(await checkNotNewer(deps))] : able
  if (ready.some(({ level }) => level === 'fault')) return ready
  const found = Object.entries(ON_DATABASE).map(([check, work]) =>
    work(deps).catch((error: unknown) => [
      isDamaged(error)
        ? fault(check, `${DAMAGED}\u00a0: ${explain(error)}`, RESTORE)
        : fault(
            check,
            `Contrôle impossible\u00a0: ${explain(error)}`,
            'Lancez «\u00a0voisol migrate\u00a0», puis recommencez.',
          ),
    ]),
  )
  return [...ready, ...(await Promise.all(found)).flat()]
}

async function onDatabase(config: Config, log: Logger, closers: Closers): Promise<{ found: Finding[]; deps?: Deps }> {
  try {
    const { url } = await openDatabaseUrls(config, closers)
    const { deps, close } = openDeps(config, url, log)
    closers.add(close)
    return { found: await examine(deps), deps }
  } catch (error) {
    return { found: [fault('database', `Base de données\u00a0: ${explain(error)}`, REMEDIES.database)] }
  }
}

async function findings(log: Logger, closers: Closers): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [
      good('version', `Voisol ${RELEASE}`),
      fault('config', error.message, 'Corrigez ces variables\u00a0; .env.example les montre toutes.'),
    ]
  }
  const proxy = config.production && config.TRUST_PROXY === ''
  const { found, deps } = await onDatabase(config, log, closers)
  const ready = deps && found.every(({ check, level }) => check !== 'migrations' || level === 'ok')
  return [
    good('version', `Voisol ${RELEASE}`),
    good('config', `Configuration valable (${config.NODE_ENV})`),
    ...(proxy ? [warning('config', 'Aucun relais nommé', NO_PROXY_NAMED)] : []),
    ...(await checkDisk(config)),
    ...found,
    ...(await checkNames(config, ready ? deps.db : undefined)),
    ...(await checkMail(config.SMTP_URL)),
  ]
}

const SIGNS = { ok: '✓', warning: '!', fault: '✗' }
const written = ({ level, text, remedy }: Finding) => `${SIGNS[level]} ${text}${remedy ? `\n    → ${remedy}` : ''}`

/** In words, or for a machine. */
export function report(found: Finding[], json: boolean): { ok: boolean; text: string } {
  const has = (level: Finding['level']) => found.some((one) => one.level === level)
  const ok = !has('fault')
  if (json) return { ok, text: JSON.stringify({ ok, findings: found }, null, 2) }
  const well = has('warning') ? 'Rien n’est en panne\u00a0; des points sont à prévoir.' : 'Tout va bien.'
  return { ok, text: [...found.map(written), '', ok ? well : 'Des points demandent votre attention.'].join('\n') }
}

/** False when something is broken. Nothing is changed: the database is not migrated. */
export async function doctor(log: Logger, closers: Closers, json: boolean): Promise<boolean> {
  const { ok, text } = report(await findings(log, closers), json)
  say(text)
  return ok
}
