import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { type Account, chooseAccount, own } from './embedded-account.ts'
import { resolvePostgres } from './embedded-binaries.ts'
import { prepareCluster } from './embedded-cluster.ts'
import { APPLICATION, connection, DATABASE, OWNER } from './embedded-connection.ts'
import { type Layout, layoutOf, socketFolder, socketPlace } from './embedded-layout.ts'
import {
  BEAT_MS,
  findLivingOwner,
  isOwner,
  newOwner,
  requireNoOwnerElsewhere,
  takeOwnership,
  touchOwnerFile,
} from './embedded-owner.ts'
import { findRunning, launch, type Postmaster } from './embedded-postmaster.ts'
import { isGone, isRunning, pause } from './embedded-process.ts'
import { prepareRoles } from './embedded-roles.ts'

export { resolvePostgres }

/** `sharedWith` is the process that started PostgreSQL, where another did. `url` is the application's, `ownerUrl` for migrations: neither is a superuser's. */
export type Embedded = {
  url: string
  ownerUrl: string
  readonly pid: number
  sharedWith: number | undefined
  stop(): Promise<void>
}

const ATTEMPTS = 75
const FAST_STOP_MS = 30_000
const WATCH_MS = 500

type Owner = ReturnType<typeof newOwner>

async function start(paths: Layout): Promise<Postmaster | null> {
  const tools = await resolvePostgres()
  const place = socketPlace(paths)
  const account: Account = await chooseAccount(paths.cluster, [tools.postgres, paths.dir, place.parent])
  await prepareCluster(paths, tools, account)
  const socket = await socketFolder(place, account)
  await own(socket, account)
  return launch(paths, tools, account, socket)
}

/** Adopts the PostgreSQL that a killed server left running, or starts one. */
async function open(paths: Layout, me: Owner): Promise<Postmaster> {
  await requireNoOwnerElsewhere(paths.owner, paths.cluster)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const running = await findRunning(paths)
    if (running && findLivingOwner(paths.owner) !== undefined) return running
    const postmaster = running ?? (await start(paths))
    if (postmaster) {
      await takeOwnership(paths.owner, me)
      return postmaster
    }
    await pause(200)
  }
  throw new StartupError(`Le dossier ${paths.cluster} est retenu par un autre programme. Journal\u00a0: ${paths.log}.`)
}

async function shutDown(paths: Layout, { pid, socket }: Postmaster) {
  if (isRunning(pid)) process.kill(pid, 'SIGINT')
  if (!(await isGone(pid, FAST_STOP_MS))) {
    process.kill(pid, 'SIGQUIT')
    await isGone(pid, FAST_STOP_MS)
  }
  await rm(paths.owner, { force: true })
  if (path.dirname(socket) !== paths.dir) await rm(socket, { recursive: true, force: true })
}

/** Brings PostgreSQL back when it dies under a running server; the pool reconnects by itself. */
function watch(paths: Layout, me: Owner, first: Postmaster) {
  let postmaster = first
  let repair: Promise<unknown> | undefined
  const timer = setInterval(() => {
    if (repair || isRunning(postmaster.pid)) return
    // A folder taken away is not made anew under a running server: it would go on with an empty database.
    if (!existsSync(path.join(paths.cluster, 'PG_VERSION'))) return
    const reopened = open(paths, me).then((found) => {
      postmaster = found
    })
    repair = reopened
      .catch(() => undefined)
      .finally(() => {
        repair = undefined
      })
  }, WATCH_MS).unref()
  const beat = setInterval(() => void touchOwnerFile(paths.owner, me).catch(() => undefined), BEAT_MS).unref()
  const leave = () => {
    if (isOwner(paths.owner, me) && isRunning(postmaster.pid)) process.kill(postmaster.pid, 'SIGINT')
  }
  process.once('exit', leave)
  const release = async () => {
    clearInterval(timer)
    clearInterval(beat)
    process.off('exit', leave)
    await repair
  }
  return { current: () => postmaster, release }
}

const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST']

function explain(dir: string, error: NodeJS.ErrnoException) {
  if (!UNWRITABLE.includes(error.code ?? '')) return error
  return new StartupError(
    `Le dossier de données ${dir} ne peut pas être utilisé (${error.code}\u00a0: ${error.path ?? error.syscall}). ` +
      'Vérifiez ses droits et la place libre, ou indiquez un autre dossier avec DATA_DIR.',
  )
}

/** PostgreSQL for this folder alone, on a Unix socket: made, started or adopted as needed. */
export async function startEmbedded(dir: string): Promise<Embedded> {
  try {
    const paths = await layoutOf(dir)
    const me = newOwner()
    const first = await open(paths, me)
    await prepareRoles(first.socket)
    const watched = watch(paths, me, first)
    const sharedWith = isOwner(paths.owner, me) ? undefined : findLivingOwner(paths.owner)
    return {
      sharedWith,
      url: connection(first.socket, DATABASE, APPLICATION),
      ownerUrl: connection(first.socket, DATABASE, OWNER),
      get pid() {
        return watched.current().pid
      },
      async stop() {
        await watched.release()
        if (isOwner(paths.owner, me)) await shutDown(paths, watched.current())
      },
    }
  } catch (error) {
    throw error instanceof Error ? explain(dir, error) : error
  }
}
