import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { type Account, own } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { SUPERUSER } from './embedded-connection.ts'
import type { Layout } from './embedded-layout.ts'
import { isRunning } from './embedded-process.ts'

const MAJOR = '18'
const UNTOUCHED =
  'Rien n’a été effacé. Restaurez une sauvegarde, indiquez un autre dossier avec DATA_DIR, ou une base avec DATABASE_URL.'

const isMissingOrEmpty = (folder: string) =>
  readdir(folder).then(
    (names) => names.length === 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true
      if (error.code === 'ENOTDIR') return false
      throw error
    },
  )

/** What PostgreSQL wrote from a given place of its log on. */
export const writtenFrom = async (log: string, from: number) => (await readFile(log)).subarray(from).toString()

/** Said to whoever asked too early: it is no reason, and may come after it. */
const TOO_EARLY = /FATAL:\s+the database system is /

/** What it wrote last about a failure. */
export function lastComplaint(written: string) {
  const lines = written
    .trim()
    .split('\n')
    .filter((line) => !TOO_EARLY.test(line))
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

/** What PostgreSQL says of its own files when they are not what it wrote. */
const DAMAGES: [RegExp, string][] = [
  [/control file|pg_control/i, 'son fichier de contrôle (global/pg_control) est abîmé ou manque'],
  [/checkpoint record|redo|WAL|write-ahead/i, 'son journal (pg_wal) est abîmé ou manque'],
  [
    /invalid page|could not read block|checksum|could not open (file|directory)/i,
    'un de ses fichiers est abîmé ou manque',
  ],
]
/** What the disk refuses it: nothing is damaged, and what to do is another matter. */
const REFUSALS: [RegExp, string][] = [
  [/No space left|Disk quota exceeded/i, 'Il n’y a plus de place sur le disque\u00a0: libérez-en, ou agrandissez-le. '],
  [
    /Read-only file system/i,
    'Le disque est en lecture seule\u00a0: remontez-le en écriture, ou choisissez un autre dossier. ',
  ],
  [
    /Permission denied/i,
    'Le compte de PostgreSQL n’a pas le droit d’y écrire\u00a0: vérifiez à qui sont les fichiers. ',
  ],
]
const refusalIn = (complaint: string) => REFUSALS.find(([pattern]) => pattern.test(complaint))?.[1]

const damageIn = (complaint: string) => {
  const found = DAMAGES.find(([pattern]) => pattern.test(complaint))?.[1]
  return found ? `La base est abîmée\u00a0: ${found}. ` : ''
}

export const startFailure = (paths: Layout, complaint: string) =>
  new StartupError(
    `PostgreSQL n’a pas pu démarrer sur le dossier ${paths.cluster}\u00a0: ${complaint || 'raison inconnue'}. ` +
      `${refusalIn(complaint) ?? damageIn(complaint)}Journal\u00a0: ${paths.log}. ${UNTOUCHED}`,
  )

/** Starts one of PostgreSQL's programs under the account, its output going to the log. */
export async function run(paths: Layout, tools: Binaries, account: Account, command: string[]) {
  const log = await open(paths.log, 'a', 0o600)
  try {
    const [program = '', ...args] = [...account.wrapper, ...command]
    // Its own session: Ctrl-C in the terminal is for the server, which then stops PostgreSQL in good order.
    const options = { detached: true, cwd: '/', env: tools.env, ...account.ids }
    return spawn(program, args, { ...options, stdio: ['ignore', log.fd, log.fd] })
  } finally {
    await log.close()
  }
}

/** A kill in the middle of initdb leaves such a folder behind; nothing was ever stored in it. */
async function removeHalfMade({ dir }: Layout) {
  for (const name of await readdir(dir)) {
    const pid = Number(/^cluster\.init-(\d+)$/.exec(name)?.[1])
    if (!pid || (pid !== process.pid && isRunning(pid))) continue
    await rm(path.join(dir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function create(paths: Layout, tools: Binaries, account: Account) {
  await removeHalfMade(paths)
  const draft = path.join(paths.dir, `cluster.init-${process.pid}`)
  await mkdir(draft, { mode: 0o700 })
  await own(draft, account)
  const from = await stat(paths.log).then(
    (log) => log.size,
    () => 0,
  )
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${SUPERUSER}`, '--auth-local=trust', '--auth-host=reject']
  const child = await run(paths, tools, account, [tools.initdb, '-D', draft, ...access, ...locale, '--no-instructions'])
  const failed = await once(child, 'exit').then(
    ([code]) => code !== 0,
    () => true,
  )
  // Only a whole cluster ever takes the name; another server may have been quicker, and then its cluster is the one.
  if (!failed) await rename(draft, paths.cluster).catch(() => undefined)
  await rm(draft, { recursive: true, force: true })
  if (failed || (await isMissingOrEmpty(paths.cluster)))
    throw startFailure(paths, lastComplaint(await writtenFrom(paths.log, from)))
}

/** Makes the cluster when there is none, and refuses a folder that is not one; never deletes data. */
export async function prepareCluster(paths: Layout, tools: Binaries, account: Account) {
  if (await isMissingOrEmpty(paths.cluster)) await create(paths, tools, account)
  const version = await readFile(path.join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  if (!version.trim()) {
    throw new StartupError(
      `Le dossier ${paths.cluster} est endommagé ou ne contient pas une base de Voisol\u00a0: PG_VERSION est illisible. ${UNTOUCHED}`,
    )
  }
  if (version.trim() !== MAJOR) {
    throw new StartupError(
      `Le dossier ${paths.cluster} vient de PostgreSQL ${version.trim()}, et Voisol fournit PostgreSQL ${MAJOR}. ${UNTOUCHED}`,
    )
  }
  await own(paths.cluster, account)
}
