#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { runAllocateCommand } from './cli/allocate.ts'
import { runAuditVerifyCommand } from './cli/audit.ts'
import { type BackupOptions, runBackupCommand, runRestoreCommand, runVerifyCommand } from './cli/backup.ts'
import { type BillOptions, runBillCommand } from './cli/bill.ts'
import { runDoctorCommand } from './cli/doctor/doctor.ts'
import { HELP, printLine, UsageError } from './cli/output.ts'
import { runRotateSecretsCommand } from './cli/rotate-secrets.ts'
import { runSiteOwnerCommand } from './cli/site.ts'
import {
  runResetPasswordCommand,
  runUserCreateCommand,
  runUserDisableCommand,
  runUserGrantCommand,
  runUserListCommand,
  type UserOptions,
} from './cli/user.ts'
import { DATABASE_CORRUPTED, getErrorCauses, isCorruptionError, RESTORE_ADVICE } from './db/database-errors.ts'
import { seedDemo } from './db/seed/demo.ts'
import type { Deps } from './deps.ts'
import { createLogger } from './http/logging.ts'
import { createClosers, openInstallation, readConfig } from './open.ts'
import { restrictNewFiles } from './private-files.ts'
import { StartupError } from './startup.ts'
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
  migrate: async () => printLine('La base de données est à jour.'),
  seed: async (deps) => {
    if (deps.config.production) throw new UsageError('Les données de démonstration sont interdites en production.')
    await seedDemo(deps)
    printLine(
      'L’organisation de démonstration est en place (une base qui contient déjà des données est laissée telle quelle).',
    )
  },
  'user create': runUserCreateCommand,
  'user list': runUserListCommand,
  'user disable': runUserDisableCommand,
  'user reset-password': runResetPasswordCommand,
  'user grant': runUserGrantCommand,
  'audit verify': runAuditVerifyCommand,
  'rotate-secrets': runRotateSecretsCommand,
}

/** Commands that take arguments. */
function findCommandWithArguments(first: string, given: string[]): Command | undefined {
  if (first === 'allocate') return (deps) => runAllocateCommand(deps, given)
  if (first === 'bill') return (deps, options) => runBillCommand(deps, given, options)
  if (first === 'site' && given[0] === 'keeper') return (deps) => runSiteOwnerCommand(deps, given[1])
  return undefined
}

/** Commands that do not migrate the database, or need none. */
function findBackupCommand(first: string, given: string[], options: BackupOptions): Promise<boolean> | undefined {
  if (first === 'backup') return runBackupCommand(log, closers, options)
  if (first === 'verify') return runVerifyCommand(given, options)
  if (first === 'restore') return runRestoreCommand(log, closers, given, options)
  return undefined
}

restrictNewFiles()
const closers = createClosers()
const log = createLogger('silent')

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`Option inconnue ou incomplète\u00a0: ${process.argv.slice(2).join(' ')}`, { cause: error })
  }
}

async function runCommand(): Promise<boolean> {
  const { values, positionals } = readArguments()
  const name = positionals.join(' ')
  if (values.version || name === 'version') {
    printLine(`Voisol ${RELEASE}`)
    return true
  }
  if (values.help || name === '' || name === 'help') {
    printLine(HELP)
    return true
  }
  if (name === 'doctor') return runDoctorCommand(log, closers, values.json === true)
  const [first, ...given] = positionals
  const copies = first ? findBackupCommand(first, given, values) : undefined
  if (copies) return copies
  const command: Command | undefined = first ? (findCommandWithArguments(first, given) ?? COMMANDS[name]) : undefined
  if (!command) throw new UsageError(`Commande inconnue\u00a0: ${name}`)
  const { deps } = await openInstallation(readConfig(), log, closers, { say: console.error })
  // A command without a result of its own succeeds when it ends.
  return (await command(deps, values)) !== false
}

/** The message of PostgreSQL, at the root of the error chain. */
const getRootReason = (error: unknown) => getErrorCauses(error).at(-1)?.message ?? ''

function reportError(error: unknown): number {
  if (error instanceof UsageError) console.error(`${error.message}\nvoisol help montre les commandes.`)
  else if (error instanceof StartupError) console.error(error.message)
  else if (isCorruptionError(error))
    console.error(`${DATABASE_CORRUPTED} (${getRootReason(error)}).\n${RESTORE_ADVICE}`)
  else console.error(`La commande a échoué\u00a0: ${error instanceof Error ? error.message : String(error)}`)
  return error instanceof UsageError ? 2 : 1
}

const code = await runCommand().then((ok) => (ok ? 0 : 1), reportError)
await closers.close().catch(() => {})
process.exit(code)
