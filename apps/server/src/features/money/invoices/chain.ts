import { createHash } from 'node:crypto'
import { canonical } from '../../../hash.ts'

/** What comes before the first document of a series. */
export const NOTHING_BEFORE = ''

/** Names a document and all that stand before it in its series: a byte changed in any of them shows in every later one. */
export const documentHash = (previous: string, snapshot: unknown): string =>
  createHash('sha256')
    .update(`${previous}|${canonical(snapshot)}`)
    .digest('hex')
