import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getSharedFileMode } from '../../private-files.ts'
import { createFolderInbox, ensureInboxFolder, isSafeName } from '../inbox/inbox.ts'

/** A document in a format that the platform accepts. */
type PlatformFile = { name: string; content: Uint8Array }
/** A status file of a platform, unparsed. */
type PlatformAnswer = { name: string; text: string }

/**
 * An approved platform (plateforme agréée) through which invoices reach companies and public bodies. Each platform is
 * an implementation of this interface; each company has its own files.
 */
export type InvoicingPlatform = {
  deposit(companyId: number, file: PlatformFile): Promise<void>
  /** Companies with status files to read. */
  companies(): Promise<number[]>
  /** Status files not put away yet, sorted by name. */
  answers(companyId: number): Promise<PlatformAnswer[]>
  /** Moves a processed status file; a refused one is kept with the reason. */
  putAway(companyId: number, name: string, refusal?: string): Promise<void>
}

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
