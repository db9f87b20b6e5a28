import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedFileMode } from '../../private-files.ts'
import { folderInbox, isSafeName, placeOf } from '../inbox/inbox.ts'
import type { Platform } from './platform.ts'

const OUT = 'factures'
/** A page of states is small: more is not one. */
const STATES = { part: 'statuts', most: 1_000_000, wanted: /\.csv$/i }

/**
 * Files are put into `<root>/<company>/factures` and states read from `<root>/<company>/statuts`: what carries them to the
 * platform and back is the operator's.
 */
export function folderPlatform(root: string): Platform {
  const { companies, waiting, putAway } = folderInbox(root, STATES)
  return {
    companies,
    putAway,
    async deposit(companyId, { name, content }) {
      if (!isSafeName(name)) throw new Error(`${name} is no name of a file`)
      const place = await placeOf(root, companyId, OUT)
      // Whoever watches the folder never sees half a file.
      const half = join(place, `.${name}.part`)
      await writeFile(half, content)
      await chmod(half, sharedFileMode())
      await rename(half, join(place, name))
    },
    answers: async (companyId) =>
      (await waiting(companyId)).map(({ name, content }) => ({ name, text: content.toString('utf8') })),
  }
}
