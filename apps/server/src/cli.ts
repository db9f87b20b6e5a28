#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { allocate } from './cli/allocate.ts'
import { auditVerify } from './cli/audit.ts'
import { type BackupOptions, backup, restore, verify } from './cli/backup.ts'
import { type BillOptions, bill } from './cli/bill.ts'
import { doctor } from './cli/doctor/doctor.ts'
import { HELP } from './cli/help.ts'
import { say, UsageError } from './cli/output.ts'
import { rotateSecrets } from './cli/rotate-secrets.ts'
import { siteKeeper } from './cli/site.ts'
import { createUser, disableUser, grantAdmin, listUsers, resetPassword, type UserOptions } from './cli/user.ts'
import { causesOf } from './db/causes.ts'
import { DAMAGED, isDamaged, RESTORE } from './db/damaged.ts'
import { seedDemo } from './db/seed/demo.ts'
import type { Deps } from './deps.ts'
import { createLog } from './http/logging.ts'
import { createClosers, openPlatform, readConfig } from './open.ts'
import { restrictNewFiles } from './private-files.ts'
import { StartupError } from './startup-error.ts'
import { RELEASE } from './version.ts'

const text = { type: 'string' } as const
const OPTIONS = {
  email: text,
  'first-name': text,
  'last-name': text,
  company: text,
  'company-name': text,
  admin: { type: 'boolean' },
  heads: text,
  close: { type: 'boolean' },
  issue: { type: 'boolean' },
  reason: text,
  to: text,
  into: text,
  'lost-secret': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Command = (deps: Deps, options: UserOptions & BillOptions & { heads?: string | undefined }) => Promise<unknown>

/** Commands that work on the migrated database. */
const COMMANDS: Record<string, Command> = {
  migrate: async () => say('La base de données est à jour.'),
  seed: async (deps) => {
    if (deps.config.production) throw new UsageError('Les données de démonstration sont interdites en production.')
    await seedDemo(deps)
    say(
      'L’organisation de démonstration est en place (une base qui contient déjà des données est laissée telle quelle).',
    )
  },
  'user create': createUser,
  'user list': listUsers,
  'user disable': disableUser,
  'user reset-password': resetPassword,
  'user grant': grantAdmin,
  'audit verify': auditVerify,
  'rotate-secrets': rotateSecrets,
}

/** Those that are followed by what they are about. */
function takesArguments(first: string, given: string[]): Command | undefined {
  if (first === 'allocate') return (deps) => allocate(deps, given)
  if (first === 'bill') return (deps, options) => bill(deps, given, options)
  if (first === 'site' && given[0] === 'keeper') return (deps) => siteKeeper(deps, given[1])
  return undefined
}

/** Those that take the database as it is, or need none. */
function onCopies(first: string, given: string[], options: BackupOptions): Promise<boolean> | undefined {
  if (first === 'backup') return backup(log, closers, options)
  if (first === 'verify') return verify(given, options)
  if (first === 'restore') return restore(log, closers, given, options)
  return undefined
}

restrictNewFiles()
const closers = createClosers()
const log = createLog('silent')

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`Option inconnue ou incomplète\u00a0: ${process.argv.slice(2).join(' ')}`, { cause: error })
  }
}

async function run(): Promise<boolean> {
  const { values, positionals } = readArguments()
  const name = positionals.join(' ')
  if (values.version || name === 'version') {
    say(`Voisol ${RELEASE}`)
    return true
  }
  if (values.help || name === '' || name === 'help') {
    say(HELP)
    return true
  }
  if (name === 'doctor') return doctor(log, closers, values.json === true)
  const [first, ...given] = positionals
  const copies = first ? onCopies(first, given, values) : undefined
  if (copies) return copies
  const command: Command | undefined = first ? (takesArguments(first, given) ?? COMMANDS[name]) : undefined
  if (!command) throw new UsageError(`Commande inconnue\u00a0: ${name}`)
  const { deps } = await openPlatform(readConfig(), log, closers, { say: console.error })
  // A command that has no verdict to give has succeeded by ending.
  return (await command(deps, values)) !== false
}

/** What PostgreSQL said, beneath what was made of it. */
const reasonIn = (error: unknown) => causesOf(error).at(-1)?.message ?? ''

function report(error: unknown): number {
  if (error instanceof UsageError) console.error(`${error.message}\nvoisol help montre les commandes.`)
  else if (error instanceof StartupError) console.error(error.message)
  else if (isDamaged(error)) console.error(`${DAMAGED} (${reasonIn(error)}).\n${RESTORE}`)
  else console.error(`La commande a échoué\u00a0: ${error instanceof Error ? error.message : String(error)}`)
  return error instanceof UsageError ? 2 : 1
}

const code = await run().then((ok) => (ok ? 0 : 1), report)
await closers.close().catch(() => {})
process.exit(code)
