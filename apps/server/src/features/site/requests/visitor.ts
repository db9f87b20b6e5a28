import { siteCompany } from '../../../core/site-company.ts'
import { networkOf } from '../../../http/network.ts'
import type { Context } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import type { RequestRow } from './keep.ts'

export type Visit = Context<undefined>

const HOUR = 3600
const PER_ADDRESS = 30
const PER_EMAIL = 10

/** Counts a form sent, by where it comes from and by whom it names. */
export async function countVisit({ aside, request }: Visit, email: string) {
  await throttle(aside, `request ip ${networkOf(request.ip)}`, PER_ADDRESS, HOUR)
  await throttle(aside, `request email ${email}`, PER_EMAIL, HOUR)
}

export const countKey = ({ aside, request }: Visit) => throttle(aside, `request key ${networkOf(request.ip)}`, 60, HOUR)

/** What the audit log keeps: never who the visitor is, whose data are erased in time. */
export const noteRequest = ({ note }: Visit, { companyId, id, kind, about }: RequestRow) =>
  note({ companyId, target: id, detail: { kind, about } })

/** A script is answered like a person, and nothing is kept of what it wrote. */
export async function isScript({ db, note }: Visit, website: string): Promise<boolean> {
  if (website === '') return false
  note({ companyId: await siteCompany(db), target: '', detail: { script: true } })
  return true
}
