import { loadSiteOwnerId } from '../../../core/site-company.ts'
import { getClientNetwork } from '../../../http/network.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import type { RequestRow } from './keep.ts'

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
