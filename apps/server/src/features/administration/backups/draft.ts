import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A draft that nobody has written to for so long belongs to a process that was killed: no copy may take longer. */
const ABANDONED_DRAFT_MS = 6 * 3_600_000

const buildCopyName = (at: Date) => `voisol-${at.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`

/** What interrupted copies left behind; one that is being made beside this one stays. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const modifiedAt = await stat(path)
      .then(({ mtimeMs }) => mtimeMs)
      .catch(() => Number.POSITIVE_INFINITY)
    if (Date.now() - modifiedAt > ABANDONED_DRAFT_MS) await rm(path, { recursive: true, force: true })
  }
}

/**
 * An empty file named after this second; of two copies begun in the same one, the later takes the next, also where the
 * earlier is made already: it would take its place.
 */
export async function openCopyDraft(
  dataDir: string,
  isTaken: (name: string) => boolean,
): Promise<{ name: string; draft: string }> {
  const folder = join(dataDir, 'copy-drafts')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandonedDrafts(folder)
  for (;;) {
    const name = buildCopyName(new Date())
    const draft = join(folder, name)
    const file =
      !isTaken(name) &&
      (await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }))
    if (file) {
      await file.close()
      return { name, draft }
    }
    await sleep(1000 - (Date.now() % 1000))
  }
}
