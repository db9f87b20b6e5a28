import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, realpath, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getSharedFileMode, getSharedFolderMode } from '../../private-files.ts'

export const isSafeName = (name: string) => /^[\w][\w.-]{0,199}$/.test(name)

/** A folder of the company below the root, created if needed; a symbolic link in its place is refused. */
export async function ensureInboxFolder(root: string, companyId: number, part: string): Promise<string> {
  const path = join(root, String(companyId), part)
  const first = await mkdir(path, { recursive: true })
  // The program that brings and fetches files runs under another account, so the folder gets the access rights that the
  // operator chose.
  for (let made = path; first && made.startsWith(first); made = dirname(made)) await chmod(made, getSharedFolderMode())
  const real = await realpath(path)
  if (real !== join(await realpath(root), String(companyId), part))
    throw new Error(`${path} leads elsewhere: links are not followed`)
  return real
}

async function readBytes(path: string, most: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > most) throw new Error(`${path} is larger than what is taken here`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

type InboxFile = { name: string; content: Buffer }
/** Folders in which other programs leave files for companies; each company has its own. */
export type Inbox = {
  companies(): Promise<number[]>
  /** Files not put away yet, sorted by name. */
  waiting(companyId: number): Promise<InboxFile[]>
  /** Moves a processed file to `lus`; a refused one to `refuses`, with the reason. */
  putAway(companyId: number, name: string, refusal?: string): Promise<void>
}
type InboxOptions = { part: string; most: number; wanted: RegExp }

/** The folder `<root>/<company>/<part>`, read each time it is polled. */
export const createFolderInbox = (root: string, { part, most, wanted }: InboxOptions): Inbox => ({
  async companies() {
    const entries = await readdir(root, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && /^[1-9]\d{0,9}$/.test(entry.name))
      .map(({ name }) => Number(name))
  },
  async waiting(companyId) {
    const place = await ensureInboxFolder(root, companyId, part)
    const entries = await readdir(place, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && wanted.test(entry.name) && isSafeName(entry.name))
    const left: InboxFile[] = []
    for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1)))
      left.push({ name, content: await readBytes(join(place, name), most) })
    return left
  },
  async putAway(companyId, name, refusal) {
    const from = join(await ensureInboxFolder(root, companyId, part), name)
    const to = await ensureInboxFolder(root, companyId, `${part}/${refusal === undefined ? 'lus' : 'refuses'}`)
    if ((await lstat(from)).isSymbolicLink()) return
    if (refusal !== undefined) {
      await writeFile(join(to, `${name}.raison.txt`), `${refusal}\n`)
      await chmod(join(to, `${name}.raison.txt`), getSharedFileMode())
    }
    await rename(from, join(to, name))
  },
})
