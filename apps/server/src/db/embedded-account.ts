import { spawnSync } from 'node:child_process'
import { chown, lchown, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

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
