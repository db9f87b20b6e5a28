import type { EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import { incrementSiteRevision } from './site-revision.ts'

const EVENTS_CHANGING_SITE: readonly EventName[] = [
  'content.published',
  'content.unpublished',
  'notice.changed',
  'page.described',
  'redirect.added',
  'redirect.removed',
]

/** Cached pages become outdated. */
export async function invalidateSitePages(tx: Db, _companyId: number, name: EventName) {
  if (EVENTS_CHANGING_SITE.includes(name)) await incrementSiteRevision(tx)
}
