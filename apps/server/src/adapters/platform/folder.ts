import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from './platform.ts'

const [OUT, IN, READ, REFUSED] = ['factures', 'statuts', 'statuts/lus', 'statuts/refuses'] as const
/** A page of states is small: more is not one. */
const MOST_BYTES = 1_000_000

const isSafe = (name: string) => /^[\w][\w.-]{0,199}$/.test(name)

/** A folder of the company below the root, made if need be; a link in its place is refused. */
async function placeOf(root: string, companyId: number, part: string): Promise<string> {
  const path = join(root, String(companyId), part)
  await mkdir(path, { recursive: true })
  const real = await realpath(path)
  if (real !== join(await realpath(root), String(companyId), part))
    throw new Error(`${path} leads elsewhere: links are not followed`)
  return real
}

async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > MOST_BYTES) throw new Error(`${path} is larger than a file of states`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/**
 * Files are put into `<root>/<company>/factures` and states read from `<root>/<company>/statuts`: what carries them to the
 * platform and back is the operator's.
 */
export const folderPlatform = (root: string): Platform => ({
  async deposit(companyId, { name, content }) {
    if (!isSafe(name)) throw new Error(`${name} is no name of a file`)
    const place = await placeOf(root, companyId, OUT)
    // Whoever watches the folder never sees half a file.
    const half = join(place, `.${name}.part`)
    await writeFile(half, content)
    await rename(half, join(place, name))
  },
  async companies() {
    const entries = await readdir(root, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && /^[1-9]\d{0,9}$/.test(entry.name))
      .map(({ name }) => Number(name))
  },
  async answers(companyId) {
    const place = await placeOf(root, companyId, IN)
    const entries = await readdir(place, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && /\.csv$/i.test(entry.name) && isSafe(entry.name))
    const answers = []
    for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1)))
      answers.push({ name, text: await readText(join(place, name)) })
    return answers
  },
  async putAway(companyId, name, refusal) {
    const from = join(await placeOf(root, companyId, IN), name)
    const to = await placeOf(root, companyId, refusal === undefined ? READ : REFUSED)
    if ((await lstat(from)).isSymbolicLink()) return
    if (refusal !== undefined) await writeFile(join(to, `${name}.raison.txt`), `${refusal}\n`)
    await rename(from, join(to, name))
  },
})
