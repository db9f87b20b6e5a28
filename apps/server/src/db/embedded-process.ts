import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, lchown, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../startup.ts'

type ProcessInfo = { startedAt: string; command: string }

function readProcFile(pid: number): ProcessInfo | null {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // A zombie still answers to signal 0, but its program has ended.
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return { startedAt: fields[19] ?? '', command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
}

function readPsOutput(pid: number): ProcessInfo | null {
  const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return line ? { startedAt: line.slice(0, 24), command: line.slice(24).trim() } : null
}

function inspectProcess(pid: number): ProcessInfo | null {
  try {
    return process.platform === 'linux' ? readProcFile(pid) : readPsOutput(pid)
  } catch {
    return null
  }
}

/** Process ids are reused: with the start time they identify one process. */
export const getProcessStart = (pid: number) => inspectProcess(pid)?.startedAt ?? null

export const isProcessRunning = (pid: number) => inspectProcess(pid) !== null

/** Whether this process is a PostgreSQL server, and the one of this cluster. */
export function isPostmaster(pid: number, cluster: string) {
  const command = inspectProcess(pid)?.command ?? ''
  return command.includes('postgres') && command.includes(cluster)
}

export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a process is gone; false when it outlives the delay. */
export async function waitForProcessExit(pid: number, milliseconds: number) {
  const end = performance.now() + milliseconds
  while (isProcessRunning(pid)) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}

type Ids = { uid: number; gid: number }

/** The account PostgreSQL runs under: spawn options, a command prefix, and the owner of its files. */
export type ProcessAccount = { ids: Ids | undefined; wrapper: string[]; owner: Ids | undefined }

const NOBODY_IDS: Ids = { uid: 65534, gid: 65534 }
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534']

const canReach = (ids: Ids, places: string[]) =>
  spawnSync('/bin/sh', ['-c', 'for place; do test -x "$place" || exit 1; done', 'sh', ...places], { ...ids, cwd: '/' })
    .status === 0

const canUnshare = () => {
  const [command = '', ...options] = NAMESPACE
  return spawnSync(command, [...options, 'true'], { stdio: 'ignore' }).status === 0
}

/** PostgreSQL refuses to run as root: it runs as the owner of the folder, as nobody, or in a user namespace. */
export async function chooseProcessAccount(cluster: string, places: string[]): Promise<ProcessAccount> {
  if (process.getuid?.() !== 0) return { ids: undefined, wrapper: [], owner: undefined }
  const found = await stat(cluster).catch(() => undefined)
  const ids = found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : NOBODY_IDS
  if (canReach(ids, places)) return { ids, wrapper: [], owner: ids }
  if (canUnshare()) return { ids: undefined, wrapper: NAMESPACE, owner: { uid: 0, gid: 0 } }
  throw new StartupError(
    `PostgreSQL ne peut pas tourner sous le compte root, et le compte ${ids.uid} n’a pas accès à ${places.join(', ')}. ` +
      'Lancez Voisol sous un autre compte, placez les données dans un dossier accessible avec DATA_DIR, ' +
      'ou indiquez l’adresse d’une base PostgreSQL avec DATABASE_URL.',
  )
}

/** Changes the owner of a folder; the folder itself comes last, so that an interrupted run is resumed. */
export async function changeFolderOwner(folder: string, { owner }: ProcessAccount) {
  if (!owner) return
  const top = await stat(folder)
  if (top.uid === owner.uid && top.gid === owner.gid) return
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(path.join(folder, name), owner.uid, owner.gid)
  }
  await chown(folder, owner.uid, owner.gid)
}
