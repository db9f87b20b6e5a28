import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getSharedFileMode } from '../../private-files.ts'
import { createFolderInbox, ensureInboxFolder, isSafeName } from '../inbox/inbox.ts'
import type { InvoicingPlatform } from './platform.ts'

const INVOICES_FOLDER = 'factures'
/** A status file is small: a larger one is refused. */
const STATUS_FILES = { part: 'statuts', most: 1_000_000, wanted: /\.csv$/i }

/**
 * Files are written to `<root>/<company>/factures` and statuses read from `<root>/<company>/statuts`; the operator
 * provides the transfer to and from the platform.
 */
export function createFolderPlatform(root: string): InvoicingPlatform {
  const { companies, waiting, putAway } = createFolderInbox(root, STATUS_FILES)
  return {
    companies,
    putAway,
    async deposit(companyId, { name, content }) {
      if (!isSafeName(name)) throw new Error(`${name} is no name of a file`)
      const place = await ensureInboxFolder(root, companyId, INVOICES_FOLDER)
      // Renamed once complete, so that a program that watches the folder never sees half a file.
      const half = join(place, `.${name}.part`)
      await writeFile(half, content)
      await chmod(half, getSharedFileMode())
      await rename(half, join(place, name))
    },
    answers: async (companyId) =>
      (await waiting(companyId)).map(({ name, content }) => ({ name, text: content.toString('utf8') })),
  }
}
