import type { EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import { bumpSite } from './site-revision.ts'

const SEEN: readonly EventName[] = [
  'content.published',
  'content.unpublished',
  'notice.changed',
  'page.described',
  'redirect.added',
  'redirect.removed',
]

/** Pages kept from before are drawn again. */
export async function redrawSite(tx: Db, _companyId: number, name: EventName) {
  if (SEEN.includes(name)) await bumpSite(tx)
}
