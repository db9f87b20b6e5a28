import type { Access } from '@voisol/contract/access'
import type { CurrentUser } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { hasPermission, type Permission } from '@voisol/contract/permissions'
import type { FastifyRequest } from 'fastify'
import { type Db, queryPrepared } from '../db/client.ts'
import {
  type Actor,
  type DirectoryPerson,
  isPersonActor,
  PERSON_COLUMNS,
  type PersonRow,
  toCurrentUser,
  toPersonActor,
} from './actor.ts'
import { AppError } from './errors.ts'

/**
 * The header that names an impersonation. Its value is not secret: it is valid only with the session that started it.
 */
export const IMPERSONATION_HEADER = 'x-voisol-view'

/**
 * The only calls allowed while viewing a participant's portal. Consents, credentials, accounts, notifications and links
 * to them remain private.
 */
export const IMPERSONATION_PATHS: ReadonlySet<string> = new Set([
  '/api/auth/me',
  '/api/curves/export',
  '/api/declarations',
  '/api/declarations/:id/file',
  '/api/energy/best-hours',
  '/api/energy/consumption',
  '/api/energy/export',
  '/api/energy/flow',
  '/api/energy/heat-map',
  '/api/energy/production',
  '/api/energy/series',
  '/api/energy/summary',
  '/api/forecasts/best-hours',
  '/api/invoices',
  '/api/invoices/:id',
  '/api/invoices/:id/due-notice',
  '/api/invoices/:id/explanation',
  '/api/invoices/:id/lines/:line/days',
  '/api/invoices/:id/lines/:line/days/:day',
  '/api/invoices/:id/pdf',
  '/api/invoices/:id/recompute',
  '/api/invoices/:id/xml',
  '/api/invoices/annual',
  '/api/invoices/annual/file',
  '/api/knowledge',
  '/api/organiser',
  '/api/own/messages',
  '/api/participants/:id/why',
  '/api/payments/accounts/:id',
  '/api/payments/invoices/:id',
  '/api/plants/economies',
  '/api/points',
  '/api/points/:id',
  '/api/points/:id/curve',
  '/api/portal/changes',
  '/api/portal/shown',
  '/api/reports',
  '/api/reports/:id',
  '/api/reports/:id/file',
  '/api/supplier-bills',
  '/api/support/choices',
  '/api/support/tickets',
  '/api/support/tickets/:id',
])
/** Support tickets, for the staff who answer them. */
const SUPPORT_PATHS = /^\/api\/support\/tickets/
/** Impersonation must not show what the back office would not show this person. */
function canReadImpersonated(viewer: Actor, access: Access, path: string): boolean {
  const own = typeof access === 'object' ? access.permission : undefined
  const asked: (Permission | undefined)[] = ['portal.view', own, SUPPORT_PATHS.test(path) ? 'support.read' : undefined]
  return asked.every((permission) => !permission || hasPermission(viewer, permission))
}
const isAllowedInImpersonation = ({ method, path, access }: Endpoint) =>
  method === 'GET' && (access === 'public' || IMPERSONATION_PATHS.has(path))

const getImpersonationId = ({ headers }: FastifyRequest) => headers[IMPERSONATION_HEADER]
/** Checked first: while impersonating nothing can be written, by any call. */
export function refuseWhenImpersonating(request: FastifyRequest, e: Endpoint) {
  if (getImpersonationId(request) !== undefined && !isAllowedInImpersonation(e)) throw new AppError('view-only')
}

/**
 * A portal belongs to an account, possibly in several operations: a limited person may view it if all of them are
 * within the limit.
 */
const WITHIN_OPERATION_LIMIT = `($5::uuid[] is null or (
  exists (select 1 from participations s where s.company_id = p.company_id and s.participant_id = p.id)
  and not exists (select 1 from participations s join participants q on q.company_id = s.company_id and q.id = s.participant_id
    where q.company_id = p.company_id and (q.user_id = p.user_id or exists (select 1 from portal_holders h
      where h.company_id = q.company_id and h.participant_id = q.id and h.user_id = p.user_id)) and s.operation_id <> all($5))))`

/**
 * While an invitation is pending, nothing of the account behind it is shown: the names are those of the participant.
 */
const IMPERSONATION_QUERY = `
  select ${PERSON_COLUMNS}, v.id as "viewId", p.name as "viewedName", coalesce(nullif(p.first_name, ''), p.name) as "shownFirst",
         p.last_name as "shownLast", p.email as "shownEmail"
    from portal_views v
    join participants p on p.company_id = v.company_id and p.id = v.participant_id
    join users u on u.id = p.user_id
    join memberships m on m.company_id = v.company_id and m.user_id = u.id
    join companies c on c.id = v.company_id
   where v.company_id = $1 and v.id::text = $2 and v.session_id = $3 and v.viewer_id = $4
     and v.ended_at is null and v.expires_at > now()
     and ${WITHIN_OPERATION_LIMIT}`
type ImpersonatedRow = DirectoryPerson<PersonRow> & {
  viewId: string
  viewedName: string
  shownFirst: string
  shownLast: string
  shownEmail: string
}

/**
 * The participant in place of the viewer; checked again at each call, so that a removed right, limit, account or
 * session ends it at the next one.
 */
export async function resolveImpersonation(
  db: Db,
  request: FastifyRequest,
  viewer: Actor,
  access: Access,
): Promise<Actor> {
  const view = getImpersonationId(request)
  if (view === undefined) return viewer
  if (
    !isPersonActor(viewer) ||
    viewer.user.duty ||
    !canReadImpersonated(viewer, access, request.routeOptions.url ?? '')
  )
    throw new AppError('view-only')
  const { companyId, sessionId, userId, operationIds, openedWith } = viewer
  const { rows } = await queryPrepared<ImpersonatedRow>(db, 'view', IMPERSONATION_QUERY, [
    companyId,
    view,
    sessionId,
    userId,
    operationIds,
  ])
  const [row] = rows
  if (!row) throw new AppError('view-over')
  // An impersonation concerns one company's portal, whatever other companies the viewer or participant belongs to.
  return toPersonActor(toImpersonatedUser(row), { sessionId, keepsSite: false, openedWith, openedFor: companyId })
}

function toImpersonatedUser({
  viewId,
  viewedName,
  shownFirst,
  shownLast,
  shownEmail,
  ...person
}: ImpersonatedRow): CurrentUser {
  const seen = toCurrentUser({ ...person, livesThere: true }, 'portal')
  return {
    ...seen,
    firstName: shownFirst,
    lastName: shownLast,
    email: shownEmail,
    role: 'client',
    isAdmin: false,
    space: 'portal',
    spaces: ['portal'],
    permissions: [],
    operationIds: null,
    // Their other companies and their sign-in methods remain private.
    companies: [{ id: seen.companyId, name: seen.companyName }],
    phone: '',
    secondFactor: false,
    secondFactors: [],
    duty: null,
    viewing: { viewId, name: viewedName },
  }
}
