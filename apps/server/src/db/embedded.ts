import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../startup.ts'
import { resolvePostgresBinaries } from './embedded-binaries.ts'
import {
  APPLICATION_ROLE,
  buildConnectionUrl,
  type ClusterLayout,
  chooseSocketPlace,
  createSocketFolder,
  DATABASE_NAME,
  OWNER_ROLE,
  prepareCluster,
  resolveClusterLayout,
} from './embedded-cluster.ts'
import {
  createOwner,
  findLivingOwner,
  findRunningPostmaster,
  HEARTBEAT_MS,
  isOwner,
  type Postmaster,
  requireNoOwnerOnOtherHost,
  startPostmaster,
  takeOwnership,
  touchOwnerFile,
} from './embedded-postmaster.ts'
import {
  changeFolderOwner,
  chooseProcessAccount,
  isProcessRunning,
  type ProcessAccount,
  sleep,
  waitForProcessExit,
} from './embedded-process.ts'
import { ensureRoles } from './embedded-roles.ts'

export { resolvePostgresBinaries }

/**
 * `sharedWith` is the process that started PostgreSQL, if another one did. `url` is for the application, `ownerUrl` for
 * migrations: neither role is a superuser.
 */
export type EmbeddedPostgres = {
  url: string
  ownerUrl: string
  readonly pid: number
  sharedWith: number | undefined
  stop(): Promise<void>
}

const MAX_OPEN_ATTEMPTS = 75
const FAST_STOP_MS = 30_000
const CHECK_INTERVAL_MS = 500

type Owner = ReturnType<typeof createOwner>

async function startCluster(paths: ClusterLayout): Promise<Postmaster | null> {
  const tools = await resolvePostgresBinaries()
  const place = chooseSocketPlace(paths)
  const account: ProcessAccount = await chooseProcessAccount(paths.cluster, [tools.postgres, paths.dir, place.parent])
  await prepareCluster(paths, tools, account)
  const socket = await createSocketFolder(place, account)
  await changeFolderOwner(socket, account)
  return startPostmaster(paths, tools, account, socket)
}

/** Takes over the PostgreSQL that a killed server left running, or starts one. */
async function openCluster(paths: ClusterLayout, me: Owner): Promise<Postmaster> {
  await requireNoOwnerOnOtherHost(paths.owner, paths.cluster)
  for (let attempt = 0; attempt < MAX_OPEN_ATTEMPTS; attempt++) {
    const running = await findRunningPostmaster(paths)
    if (running && findLivingOwner(paths.owner) !== undefined) return running
    const postmaster = running ?? (await startCluster(paths))
    if (postmaster) {
      await takeOwnership(paths.owner, me)
      return postmaster
    }
    await sleep(200)
  }
  throw new StartupError(`Le dossier ${paths.cluster} est retenu par un autre programme. Journal\u00a0: ${paths.log}.`)
}

async function shutDownCluster(paths: ClusterLayout, { pid, socket }: Postmaster) {
  if (isProcessRunning(pid)) process.kill(pid, 'SIGINT')
  if (!(await waitForProcessExit(pid, FAST_STOP_MS))) {
    process.kill(pid, 'SIGQUIT')
    await waitForProcessExit(pid, FAST_STOP_MS)
  }
  await rm(paths.owner, { force: true })
  if (path.dirname(socket) !== paths.dir) await rm(socket, { recursive: true, force: true })
}

/** Restarts PostgreSQL when it dies under a running server; the pool reconnects by itself. */
function superviseCluster(paths: ClusterLayout, me: Owner, first: Postmaster) {
  let postmaster = first
  let repair: Promise<unknown> | undefined
  const timer = setInterval(() => {
    if (repair || isProcessRunning(postmaster.pid)) return
    // A deleted folder is not created again under a running server, which would go on with an empty database.
    if (!existsSync(path.join(paths.cluster, 'PG_VERSION'))) return
    const reopened = openCluster(paths, me).then((found) => {
      postmaster = found
    })
    repair = reopened
      .catch(() => undefined)
      .finally(() => {
        repair = undefined
      })
  }, CHECK_INTERVAL_MS).unref()
  const heartbeat = setInterval(() => void touchOwnerFile(paths.owner, me).catch(() => undefined), HEARTBEAT_MS).unref()
  const leave = () => {
    if (isOwner(paths.owner, me) && isProcessRunning(postmaster.pid)) process.kill(postmaster.pid, 'SIGINT')
  }
  process.once('exit', leave)
  const release = async () => {
    clearInterval(timer)
    clearInterval(heartbeat)
    process.off('exit', leave)
    await repair
  }
  return { current: () => postmaster, release }
}

const UNWRITABLE_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST']

function toStartupError(dir: string, error: NodeJS.ErrnoException) {
  if (!UNWRITABLE_CODES.includes(error.code ?? '')) return error
  return new StartupError(
    `Le dossier de données ${dir} ne peut pas être utilisé (${error.code}\u00a0: ${error.path ?? error.syscall}). ` +
      'Vérifiez ses droits et la place libre, ou indiquez un autre dossier avec DATA_DIR.',
  )
}

/** A PostgreSQL for this folder alone, on a Unix socket: created, started or taken over as needed. */
export async function startEmbeddedPostgres(dir: string): Promise<EmbeddedPostgres> {
  try {
    const paths = await resolveClusterLayout(dir)
    const me = createOwner()
    const first = await openCluster(paths, me)
    await ensureRoles(first.socket)
    const supervisor = superviseCluster(paths, me, first)
    const sharedWith = isOwner(paths.owner, me) ? undefined : findLivingOwner(paths.owner)
    return {
      sharedWith,
      url: buildConnectionUrl(first.socket, DATABASE_NAME, APPLICATION_ROLE),
      ownerUrl: buildConnectionUrl(first.socket, DATABASE_NAME, OWNER_ROLE),
      get pid() {
        return supervisor.current().pid
      },
      async stop() {
        await supervisor.release()
        if (isOwner(paths.owner, me)) await shutDownCluster(paths, supervisor.current())
      },
    }
  } catch (error) {
    throw error instanceof Error ? toStartupError(dir, error) : error
  }
}
