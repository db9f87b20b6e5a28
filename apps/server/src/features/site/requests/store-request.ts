import type { RequestKind } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'

import { sha256 } from '../../../secrets.ts'

export type RequestRow = typeof requests.$inferSelect
type RequestValues = Omit<typeof requests.$inferInsert, 'companyId' | 'fingerprint'> & { kind: RequestKind }

/** Keeps a request once: `same` is what makes two of them the same one. */
export async function storeRequest(
  tx: Db,
  values: RequestValues,
  same: string[],
): Promise<{ row: RequestRow; isNew: boolean }> {
  const fingerprint = sha256(JSON.stringify([values.kind, values.email, ...same])).toString('hex')
  const [added] = await tx
    .insert(requests)
    .values({ ...values, companyId: await loadSiteOwnerId(tx), fingerprint })
    .onConflictDoNothing({ target: [requests.companyId, requests.fingerprint] })
    .returning()
  if (added) return { row: added, isNew: true }
  const [row] = await tx
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.fingerprint, fingerprint)))
    .for('update')
  if (!row) throw new Error('the request was removed at this instant')
  return { row, isNew: false }
}

export type VisitorContext = RouteContext<undefined>

const HOUR_SECONDS = 3600
const MAX_FORMS_PER_IP = 30
const MAX_FORMS_PER_EMAIL = 10

/** Counts a form sent, by where it comes from and by whom it names. */
export async function throttleForm({ aside, request }: VisitorContext, email: string) {
  await throttle(aside, `request ip ${getClientNetwork(request.ip)}`, MAX_FORMS_PER_IP, HOUR_SECONDS)
  await throttle(aside, `request email ${email}`, MAX_FORMS_PER_EMAIL, HOUR_SECONDS)
}

export const throttleLinkUse = ({ aside, request }: VisitorContext) =>
  throttle(aside, `request key ${getClientNetwork(request.ip)}`, 60, HOUR_SECONDS)

/** What the audit log keeps: never who the visitor is, whose data are erased in time. */
export const noteRequest = ({ note }: VisitorContext, { companyId, id, kind, about }: RequestRow) =>
  note({ companyId, target: id, detail: { kind, about } })

/** A script is answered like a person, and nothing is kept of what it wrote. */
export async function isBotSubmission({ db, note }: VisitorContext, website: string): Promise<boolean> {
  if (website === '') return false
  note({ companyId: await loadSiteOwnerId(db), target: '', detail: { script: true } })
  return true
}
